export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Where diagnostics go. Never stdout: over stdio that is the protocol's. */
export interface Log {
  (level: LogLevel, message: string, facts?: Readonly<Record<string, unknown>>): void;
}

const ORDER: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

/** A log that writes one line an entry to `write`, from `level` up. */
export function lineLog(level: LogLevel, write: (line: string) => void): Log {
  return (entryLevel, message, facts) => {
    if (ORDER[entryLevel] < ORDER[level]) return;
    const tail = facts && Object.keys(facts).length > 0 ? ` ${JSON.stringify(facts)}` : '';
    write(`oriel ${entryLevel}: ${message}${tail}\n`);
  };
}

export const silentLog: Log = () => {};
