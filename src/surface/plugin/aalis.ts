import { readFile } from 'node:fs/promises';
import { aalis } from '../../dialect/aalis/aalis.ts';
import type { Dialect, Preset } from '../../dialect/dialect.ts';
import { OrielError, toOrielError } from '../../kernel/errors.ts';
import type { Log } from '../../kernel/log.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Listing, Repertoire } from '../../tool/repertoire.ts';
import {
  definePlugin,
  type AalisPlugin,
  type AalisServices,
  type HostCall,
  type HostResult,
  type HostTool,
} from './aalis-host.ts';
import { networkOfHost } from './aalis-network.ts';

/** Oriel at work for a plugin. */
export interface PluginCore extends AsyncDisposable {
  readonly repertoire: Repertoire;
  /** Ends the sessions that the host knows by these ids; ids of children are passed over. */
  endSessions(ids: readonly string[]): Promise<void>;
}

export interface PluginStart {
  readonly dialect: Dialect;
  /** The plugin's own settings. */
  readonly options: Readonly<Record<string, unknown>>;
  /** What the host demands beyond them. */
  readonly demands: Preset;
  readonly rootOf: (sessionId: string) => string | undefined;
  readonly log: Log;
  /** Told of options that are passed over. */
  readonly warn: (text: string) => void;
}

const REQUIRED = ['config', 'logger', 'lifecycle', 'events'] as const;

/** Owner of all that the host's sessions open. */
const PRINCIPAL = 'aalis';

/**
 * The browser plugin of Aalis.
 *
 * @param start - Builds Oriel; throws `bad_input` for settings that must not be passed over.
 */
export function aalisPlugin(start: (request: PluginStart) => PluginCore): AalisPlugin {
  return definePlugin({
    name: '@aalis/plugin-tool-browser',
    displayName: '浏览器工具',
    subsystem: 'tools',
    uses: {
      required: REQUIRED,
      optional: ['tools', 'sessionManager', 'webui', 'proc', 'storage'],
    },
    apply: (services) => apply(services, start),
  });
}

function apply(services: AalisServices, start: (request: PluginStart) => PluginCore): void {
  const missing = REQUIRED.filter((name) => services[name] === undefined);
  if (missing.length > 0) {
    throw new OrielError('setup_needed', `The host lacks ${missing.join(', ')}.`, {
      hint: 'The browser plugin cannot do without them.',
    });
  }
  const { config, logger, lifecycle, events, storage } = services;
  const options = config.get();
  let core: PluginCore;
  try {
    core = start({
      dialect: aalis({ keep: keepIn(storage) }),
      options,
      demands: networkOfHost(options, config.host?.('network')),
      rootOf: (id) => services.sessionManager?.rootSessionOf(id),
      log: (level, message) => logger[level === 'debug' ? 'info' : level](message),
      warn: (text) => logger.warn(text),
    });
  } catch (thrown) {
    const { message } = toOrielError(thrown);
    logger.error(message);
    lifecycle.setStatus({ state: 'error', reason: message });
    return;
  }
  let isDisabled = false;
  const undo = core.repertoire.listings.flatMap((listing) => {
    const tool = toHostTool(listing, core, () => isDisabled);
    return services.tools ? [services.tools.register(tool)] : [];
  });
  undo.push(
    events.on('session:deleted', ({ sessionId }) => {
      void core.endSessions([sessionId]);
    }),
  );
  lifecycle.onDisable(async () => {
    isDisabled = true;
    for (const one of undo) one();
    await core[Symbol.asyncDispose]();
    lifecycle.setStatus({ state: 'disabled' });
  });
  lifecycle.setStatus({ state: 'ready' });
}

function toHostTool(listing: Listing, core: PluginCore, isDisabled: () => boolean): HostTool {
  const { name, description, inputSchema } = listing;
  return {
    name,
    description,
    parameters: inputSchema,
    ...(listing.meta?.['risk'] === 'sensitive' ? { risk: 'sensitive' as const } : {}),
    async execute(input, { sessionId, acceptsImages, signal }: HostCall) {
      if (isDisabled()) return { content: '{"error":"插件已停用"}', isError: true };
      const outcome = await core.repertoire.call(
        {
          tool: name,
          input,
          caller: {
            surface: 'library',
            principal: PRINCIPAL,
            connection: sessionId,
            takesPictures: acceptsImages === true,
          },
        },
        signal ? { signal } : {},
      );
      return toResult(outcome);
    },
  };
}

function toResult(outcome: Outcome): HostResult {
  const texts = outcome.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const images = outcome.content.flatMap((block) =>
    block.type === 'image' ? [{ mimeType: block.mimeType, data: block.base64 }] : [],
  );
  return {
    content: texts.join('\n'),
    ...(images.length > 0 ? { images } : {}),
    ...(outcome.status === 'done' ? {} : { isError: true as const }),
  };
}

/** Keeps pictures in the host's storage, by its naming rule; without one they cannot be kept. */
function keepIn(storage: AalisServices['storage']) {
  return async (picture: { path: string; name: string }, sessionId: string): Promise<string> => {
    if (!storage) throw new OrielError('upstream', 'The host has no storage.');
    const uri = `tmp:/browser/${storage.sessionDirName(sessionId)}/${picture.name}`;
    await storage.write(uri, await readFile(picture.path));
    return uri;
  };
}
