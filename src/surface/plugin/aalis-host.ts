/** What the host of Aalis hands a plugin, as far as this one uses it. */
export interface AalisServices {
  readonly config: {
    /** The plugin's own settings. */
    get(): Readonly<Record<string, unknown>>;
    /** A section of the host's own configuration; undefined without it. */
    host?(section: string): unknown;
  };
  readonly logger: Readonly<Record<'info' | 'warn' | 'error', (text: string) => void>>;
  readonly lifecycle: {
    /** Called when the plugin is disabled; the host waits for it. */
    onDisable(disable: () => Promise<void>): void;
    setStatus(status: PluginStatus): void;
  };
  readonly events: {
    /** @returns Takes the listener away. */
    on(event: 'session:deleted', listener: (event: { sessionId: string }) => void): () => void;
  };
  readonly tools?: {
    /** @returns Takes the tool away. */
    register(tool: HostTool): () => void;
  };
  readonly sessionManager?: {
    /** Undefined for a session that is not in its table. */
    rootSessionOf(sessionId: string): string | undefined;
  };
  readonly storage?: {
    /** Writes a file; `tmp:/…` is its temporary root. */
    write(uri: string, content: Uint8Array): Promise<void>;
    /** Folder name of a session's media. */
    sessionDirName(sessionId: string): string;
  };
  /** The page `browser` of the host's web UI. */
  readonly webui?: unknown;
  readonly proc?: unknown;
}

export interface PluginStatus {
  readonly state: 'ready' | 'error' | 'disabled';
  readonly reason?: string;
}

/** A tool as the host registers it. */
export interface HostTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Whether the host asks its person first. */
  readonly risk?: 'sensitive';
  execute(input: unknown, context: HostCall): Promise<HostResult>;
}

/** Who calls a tool. */
export interface HostCall {
  /** Empty where there is no session. */
  readonly sessionId: string;
  /** Whether the call's main model takes images; left out by callers that read `content` alone. */
  readonly acceptsImages?: boolean;
  readonly signal?: AbortSignal;
}

export interface HostResult {
  readonly content: string;
  readonly images?: readonly { readonly mimeType: string; readonly data: string }[];
  readonly isError?: true;
}

/** The services of a plugin by whether it can do without them. */
export interface ServiceUse {
  readonly required: readonly (keyof AalisServices)[];
  readonly optional: readonly (keyof AalisServices)[];
}

export interface AalisPlugin {
  readonly name: string;
  readonly displayName: string;
  readonly subsystem: 'tools';
  readonly uses: ServiceUse;
  apply(services: AalisServices): void;
}

/** Checks a plugin's types; the object itself is the plugin. */
export function definePlugin(plugin: AalisPlugin): AalisPlugin {
  return plugin;
}
