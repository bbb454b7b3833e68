import { z } from 'zod';
import { isOrielError, OrielError } from '../../kernel/errors.ts';
import type { Artifact } from '../../model/artifact.ts';
import { defineDialectTool, type Answer } from '../dialect.ts';
import type { Turn } from '../turn.ts';
import type { AalisHost } from './host.ts';
import { bringToFront, make, pageIdArg, pageOf, selectorArg, targetOf } from './pages.ts';
import { ATTACHED, NOT_ATTACHED } from './words.ts';

interface Shot {
  readonly file: Artifact | null;
  readonly width: number;
  readonly height: number;
  readonly inline: { readonly mimeType: string; readonly base64: string } | null;
}

export const screenshot = (host: AalisHost) =>
  defineDialectTool({
    name: 'browser_screenshot',
    summary: '对页面或元素截图(PNG),结果给出 storage_uri',
    effects: ['read', 'act'],
    annotations: { readOnlyHint: true },
    input: z.strictObject({
      pageId: pageIdArg,
      fullPage: z.boolean().default(false).describe('截取整个页面'),
      selector: selectorArg.optional().describe('只截取该 CSS 选择器所指的元素'),
    }),
    async run(turn, { pageId, fullPage, selector }) {
      const sessionId = turn.caller.connection;
      if (sessionId === '') throw new OrielError('bad_input', '没有会话,无法保存截图');
      const page = pageOf(pageId);
      const shot = await inTime(turn, async (leftMs) => {
        await bringToFront(turn, page, leftMs());
        const input = {
          page,
          ...(selector === undefined ? { fullPage } : { target: targetOf(selector) }),
        };
        return takeShot(turn, input, leftMs);
      });
      return answerOf(turn, host, shot, sessionId, pageId);
    },
  });

/**
 * Front, element and picture have `defaultTimeout` together. One that is late ends the browser,
 * so that no other session waits for a browser that hangs.
 */
async function inTime<T>(
  turn: Turn,
  work: (leftMs: () => number | undefined) => Promise<T>,
): Promise<T> {
  const limitMs = turn.config.timeouts.captureMs;
  const startedAt = performance.now();
  const leftMs = () =>
    limitMs === 0 ? undefined : Math.max(1, Math.round(limitMs - (performance.now() - startedAt)));
  try {
    return await work(leftMs);
  } catch (thrown) {
    if (!isOrielError(thrown, 'timeout')) throw thrown;
    await turn.attempt('aalis_end_browser', { reason: 'a screenshot was late' });
    throw new OrielError('timeout', `截图在 ${limitMs} 毫秒内未完成,浏览器已关闭,请重新打开页面`);
  }
}

/** A picture that cannot be stored is still a picture. */
async function takeShot(
  turn: Turn,
  input: Readonly<Record<string, unknown>>,
  leftMs: () => number | undefined,
): Promise<Shot> {
  const limited = () => {
    const timeoutMs = leftMs();
    return timeoutMs === undefined ? input : { ...input, timeoutMs };
  };
  try {
    return (await make<Shot>(turn, 'browser_screenshot', limited())).output;
  } catch (thrown) {
    const isDisk = isOrielError(thrown, 'upstream') && thrown.details?.['folder'] !== undefined;
    if (!isDisk) throw thrown;
    return (await make<Shot>(turn, 'browser_screenshot', { ...limited(), keep: false })).output;
  }
}

async function answerOf(
  turn: Turn,
  host: AalisHost,
  { file, width, height, inline }: Shot,
  sessionId: string,
  pageId: string,
): Promise<Answer> {
  const takesPictures = turn.caller.takesPictures === true;
  const uri = file && (await keep(turn, host, file, sessionId));
  const images = takesPictures && inline ? [inline] : [];
  if (uri === null && images.length === 0) {
    throw new OrielError('upstream', '截图无法保存,且当前调用方看不到图');
  }
  const note = images.length > 0 ? ATTACHED : NOT_ATTACHED;
  const stored = uri === null ? {} : { storage_uri: uri };
  return {
    value: { pageId, ...stored, width, height, note },
    images: images.map(({ mimeType, base64 }) => ({ mimeType, base64 })),
  };
}

/** @returns Null when the picture could not be stored. */
async function keep(
  turn: Turn,
  host: AalisHost,
  file: Artifact,
  sessionId: string,
): Promise<string | null> {
  if (!host.keep) {
    const folder = file.path.split(/[\\/]/).at(-2) ?? '';
    return `tmp:/browser/${folder}/${file.name}`;
  }
  return host.keep(file, sessionId).catch(() => null);
}
