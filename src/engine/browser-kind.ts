/** The browsers that Oriel can drive. `custom` is a path that the operator configured. */
export type BrowserKind = 'brave' | 'canary' | 'chromium' | 'chrome' | 'custom' | 'edge';

/** Where a browser came from; the rung of the set-up ladder. */
export type BrowserSource = 'configured' | 'system' | 'playwright' | 'apt' | 'npm';

/** A browser that is there and can be launched. */
export interface FoundBrowser {
  readonly kind: BrowserKind;
  /** Absolute path of the executable. */
  readonly path: string;
  /** True for the windowless build, which starts in a quarter of the time. */
  readonly isHeadlessShell: boolean;
  readonly source: BrowserSource;
  /** Variables that this browser needs on top of its environment, such as a library path. */
  readonly env?: Readonly<Record<string, string>>;
  /** What the operator should know about it, one sentence. */
  readonly warning?: string;
}

/** Tells a person what is happening, one short line at a time. */
export type Progress = (note: string) => void;
