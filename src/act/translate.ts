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
  return (
    translateDownload(text, thrown) ??
    translateNetwork(text, thrown) ??
    translateGone(text, doing, thrown) ??
    translateTarget(text, doing, thrown) ??
    new OrielError('upstream', `The browser refused to ${doing}: ${firstLine(text)}`, {
      hint: 'Take a browser_snapshot to see the page as it is.',
      cause: thrown,
    })
  );
}

function translateDownload(text: string, cause: unknown): OrielError | null {
  if (!/Download is starting/.test(text)) return null;
  return new OrielError('upstream', 'The address answered with a file; the page stays as it was.', {
    hint: 'The download is told in this answer, or list it with browser_downloads.',
    cause,
  });
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
  if (
    /Unexpected token|Unknown engine|is not a valid selector|Malformed|while parsing/i.test(text)
  ) {
    return new OrielError(
      'bad_input',
      `The target is not a valid selector: ${firstLine(text, 160)}`,
      {
        hint: 'Use a ref such as e12, or a selector: css=, text=, role=button[name="Save"], xpath=, label=, testid=.',
        cause,
      },
    );
  }
  const interceptor = /(<[^>]*>.*?) (?:from .*? subtree )?intercepts pointer events/.exec(
    text,
  )?.[1];
  if (interceptor) {
    return new OrielError('not_actionable', 'Another element covers the target.', {
      hint: 'Close or move what covers it (a dialog, a banner), then try again.',
      pageText: `covered by ${firstLine(interceptor, 200)}`,
      cause,
    });
  }
  const state = /element is (not [a-z ]+|outside of the viewport)/.exec(text)?.[1];
  if (state) {
    return new OrielError('not_actionable', `The target cannot be used now: it is ${state}.`, {
      hint: 'Wait for it with browser_wait, or look at the page with browser_snapshot.',
      cause,
    });
  }
  if (/Element is not an <input>|not a <select>|cannot be filled|Not a checkbox/i.test(text)) {
    return new OrielError(
      'bad_input',
      `The target does not take a ${doing}: ${firstLine(text, 160)}`,
      {
        hint: 'Pick a field that does from a browser_snapshot.',
        cause,
      },
    );
  }
  if (/Timeout \d+ms exceeded/.test(text)) {
    return new OrielError('timeout', `The ${doing} did not finish in time.`, {
      hint: 'Take a browser_snapshot to see the page as it is, or give a longer timeoutMs.',
      cause,
    });
  }
  return null;
}

function stripColour(text: string): string {
  // eslint-disable-next-line no-control-regex -- Playwright colours its call logs.
  return text.replace(/\u001b\[\d+m/g, '');
}
