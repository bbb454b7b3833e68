import { OrielError } from '../kernel/errors.ts';
import type { SnapshotOptions } from './snapshot.ts';
import { parseTarget } from './target.ts';
import type { ScanCommand } from './wire.ts';

const MAX_NODES_IN_VIEW = 700;
const MAX_NODES_IN_FULL = 50_000;

/**
 * What to ask of which frame.
 * @throws OrielError `bad_input`
 */
export function scanCommandOf(options: SnapshotOptions): {
  prefix: string;
  command: Omit<ScanCommand, 'base'>;
} {
  let prefix = '';
  let target: number | undefined;
  let expand: string | undefined;
  if (options.target !== undefined) {
    const parsed = parseTarget(options.target);
    if (parsed.kind !== 'ref') {
      throw new OrielError('bad_input', `target takes a ref, not "${options.target}".`, {
        hint: 'Give a ref of a snapshot, such as e12.',
      });
    }
    prefix = parsed.prefix;
    target = parsed.number;
  }
  if (options.expand !== undefined) {
    const match = /^((?:f\d+)?)(r\d+(?:\.\d+)?)$/.exec(options.expand.trim());
    if (!match?.[2])
      throw new OrielError(
        'bad_input',
        `expand takes a handle such as r3, not "${options.expand}".`,
      );
    prefix = match[1] ?? '';
    expand = match[2];
  }
  if (options.query !== undefined) checkQuery(options.query);
  const isWhole = options.full === true || options.query !== undefined;
  return {
    prefix,
    command: {
      kind: 'scan',
      extent: isWhole ? 'all' : 'view',
      maxNodes: isWhole ? MAX_NODES_IN_FULL : MAX_NODES_IN_VIEW,
      ...(options.interactive ? { interactive: true } : {}),
      ...(options.contentRefs ? { contentRefs: true } : {}),
      ...(options.boxes ? { boxes: true } : {}),
      ...(options.query === undefined ? {} : { query: options.query }),
      ...(target === undefined ? {} : { target }),
      ...(expand === undefined ? {} : { expand }),
    },
  };
}

function checkQuery(query: string): void {
  const regex = /^\/(.*)\/([a-z]*)$/s.exec(query);
  try {
    if (regex?.[1] !== undefined) RegExp(regex[1]);
  } catch (error) {
    throw new OrielError(
      'bad_input',
      `query is not a regular expression: ${(error as Error).message}`,
    );
  }
  if (query.trim() === '') throw new OrielError('bad_input', 'query is empty.');
}
