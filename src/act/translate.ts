import { firstLine, isOrielError, OrielError } from '../kernel/errors.ts';

/**
 * Turns what Playwright throws into the error a caller can act on. Names and texts of elements
 * in Playwright's messages are page text and go into `pageText`.
 *
 * @param doing - What was being done, for the message: `click`.
 */
export function translateError(thrown: unknown, doing: string): OrielError {
  if (isOrielError(thrown)) return thrown;
  const text = thrown instanceof Error ? stripColour(thrown.message) : String(thrown);
  // What a page's own script throws may read like anything that is looked for below.
  if (isOfPageScript(text))
    return translateGone(text, doing, thrown) ?? unexplained(text, doing, thrown);
  return (
    translateDownload(text, thrown) ??
    translateNetwork(text, thrown) ??
    translateGone(text, doing, thrown) ??
    translateTarget(text, doing, thrown) ??
    unexplained(text, doing, thrown)
  );
}

/**
 * Whether a script of the page may have had a say in the text: all functions that run in its world
 * (also the clock and the stored state do), so all but those known to speak for themselves.
 */
function isOfPageScript(text: string): boolean {
  return !OWN_WORDS.test(text);
}

const OWN_WORDS =
  /^(?:(?:keyboard|mouse|touchscreen|dialog|download|fileChooser)\.|(?:locator|elementHandle|frame|page)\.(?!evaluate|\$|waitForFunction|setContent|addScriptTag|addStyleTag|content:|title:))/;

function unexplained(text: string, doing: string, cause: unknown): OrielError {
  return new OrielError('upstream', `The browser could not do the ${doing}.`, {
    hint: 'Take a browser_snapshot to see the page as it is.',
    // Playwright quotes elements, options and script errors of the page.
    pageText: bareLine(text),
    cause,
  });
}

function translateDownload(text: string, cause: unknown): OrielError | null {
  if (!/Download is starting/.test(text)) return null;
  return new OrielError('upstream', 'The address answered with a file; the page stays as it was.', {
    hint: 'The download is told in this answer, or list it with browser_downloads.',
    cause,
  });
}

/**
 * What Playwright was still waiting for when it was told to stop; null where it does not say.
 */
export function explainDelay(thrown: unknown, doing: string): OrielError | null {
  if (isOrielError(thrown) || !(thrown instanceof Error)) return null;
  const text = stripColour(thrown.message);
  if (/waiting for locator\(/.test(text) && !/locator resolved to/.test(text)) {
    return new OrielError(
      'not_found',
      `Nothing on the page matched the target of the ${doing} in time.`,
      { hint: 'Take a browser_snapshot and use a ref of it.', cause: thrown },
    );
  }
  return translateObstacle(text, doing, thrown);
}

/** Whether the browser library threw it; all else is a mistake of ours. */
export function isPlaywrightError(thrown: unknown): thrown is Error {
  return (
    thrown instanceof Error &&
    (/^(?:TimeoutError|TargetClosedError|AbortError)$/.test(thrown.name) ||
      /^(?:page|frame|locator|elementHandle|jsHandle|keyboard|mouse|dialog|download|browser|browserContext|browserType|cdpSession|selectors)\.\w+: /.test(
        thrown.message,
      ) ||
      // A call that was on its way when the browser ended is rejected without its name.
      thrown.message.startsWith('Target page, context or browser has been closed'))
  );
}

function translateNetwork(text: string, cause: unknown): OrielError | null {
  const code = /net::(ERR_[A-Z_]+)/.exec(text)?.[1];
  if (!code) return null;
  if (code === 'ERR_ABORTED') {
    return new OrielError(
      'upstream',
      'The navigation was aborted: the address answered with a download or no content, or another navigation took over.',
      {
        hint: 'Take a browser_snapshot to see where the page is; downloads are listed in the answer.',
        cause,
        details: { netError: code },
      },
    );
  }
  return new OrielError('upstream', `The page could not be loaded: ${code}.`, {
    hint: HINTS[code] ?? 'Check the address; try again when the server answers.',
    cause,
    details: { netError: code },
  });
}

const HINTS: Readonly<Record<string, string>> = {
  ERR_NAME_NOT_RESOLVED: 'The host name does not exist; check its spelling.',
  ERR_CONNECTION_REFUSED: 'Nothing listens at that address; check host and port.',
  ERR_CERT_AUTHORITY_INVALID: "The server's certificate is not trusted.",
  ERR_TOO_MANY_REDIRECTS: 'The server redirects in a circle.',
};

function translateGone(text: string, doing: string, cause: unknown): OrielError | null {
  if (/Target crashed|Page crashed/i.test(text)) {
    return new OrielError('gone', `The page crashed during the ${doing}.`, {
      hint: 'Open it again with browser_navigate.',
      cause,
    });
  }
  if (!/has been closed|Target closed|browser has disconnected/i.test(text)) return null;
  return new OrielError('gone', `The page or its browser closed during the ${doing}.`, {
    hint: 'List what is open with browser_tabs {"action": "list"}, or navigate again.',
    cause,
  });
}

function translateTarget(text: string, doing: string, cause: unknown): OrielError | null {
  if (/strict mode violation/.test(text)) {
    return new OrielError('ambiguous_ref', 'Several elements match the target.', {
      hint: 'Name one of them by its ref from a browser_snapshot, or make the selector narrower.',
      pageText: text.slice(text.indexOf('resolved to')).slice(0, 1_500),
      cause,
    });
  }
  const line = bareLine(text);
  const key = /^Unknown key: ("[^\n]*")/.exec(line)?.[1];
  if (key && /^(?:keyboard|locator|elementHandle|page)\.(?:press|down|up)/.test(text)) {
    return new OrielError('bad_input', `There is no key ${key}.`, {
      hint: 'Use Playwright names: Enter, Tab, Escape, ArrowDown, Control+a, a.',
      cause,
    });
  }
  if (/^(?:Error: )?(?:Malformed value|Cannot type text into input)/.test(line)) {
    return new OrielError('bad_input', 'The field does not take this value.', {
      pageText: line,
      hint: 'Dates are 2026-12-31, times 13:45, months 2026-12, weeks 2026-W53, colours #1a2b3c.',
      cause,
    });
  }
  if (
    /^(?:Error: )?(?:Unexpected token|Unknown engine|Malformed|Unsupported token|Error while parsing|Failed to execute '(?:querySelector|evaluate)|Invalid )|is not a valid (?:selector|XPath)|while parsing/i.test(
      line,
    )
  ) {
    return new OrielError('bad_input', 'The target is not a valid selector.', {
      pageText: firstLine(line, 160),
      hint: 'Use a ref such as e12, or a selector: css=, text=, role=button[name="Save"], xpath=, label=, testid=.',
      cause,
    });
  }
  const obstacle = translateObstacle(text, doing, cause);
  if (obstacle) return obstacle;
  if (/Element is not an <input>|not a <select>|cannot be filled|Not a checkbox/i.test(line)) {
    return new OrielError('bad_input', `The target does not take a ${doing}.`, {
      hint: 'Pick a field that does from a browser_snapshot.',
      pageText: line.replace(/^Error: /, ''),
      cause,
    });
  }
  if (/^Timeout \d+ms exceeded/.test(line)) {
    return new OrielError('timeout', `The ${doing} did not finish in time.`, {
      hint: 'Take a browser_snapshot to see the page as it is, or give a longer timeoutMs.',
      cause,
    });
  }
  return null;
}

/** The last obstacle in the call log. */
function translateObstacle(text: string, doing: string, cause: unknown): OrielError | null {
  const last = text.split('\n').findLast((line) => OBSTACLE.test(line)) ?? '';
  const interceptor = /(<[^>]*>.*?) (?:from .*? subtree )?intercepts pointer events/.exec(
    last,
  )?.[1];
  if (interceptor) {
    return new OrielError('not_actionable', 'Another element covers the target.', {
      hint: 'Close or move what covers it (a dialog, a banner), then try again.',
      pageText: `covered by ${firstLine(interceptor, 200)}`,
      cause,
    });
  }
  const state = STATE.exec(last)?.[1];
  if (!state) return null;
  return new OrielError(
    'not_actionable',
    `The target did not become ready for the ${doing}: it is ${state}.`,
    {
      hint: 'Wait for it with browser_wait, or look at the page with browser_snapshot.',
      cause,
    },
  );
}

/** Lines of the log that are Playwright's own, not those that quote an element. */
const STATE =
  /^\W*element is (not (?:visible|stable|enabled|editable|attached)|outside of the viewport)/;
const OBSTACLE = /intercepts pointer events|^\W*element is (?:not [a-z ]+|outside of the viewport)/;

/** The first line without the name of Playwright's own function. */
function bareLine(text: string): string {
  return firstLine(text.replace(/^[a-zA-Z]+\.[a-zA-Z]+: /, '').replace(/^Error: /, ''), 200);
}

function stripColour(text: string): string {
  // eslint-disable-next-line no-control-regex -- Playwright colours its call logs.
  return text.replace(/\u001b\[\d+m/g, '');
}
