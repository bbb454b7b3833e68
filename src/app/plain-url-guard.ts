import { OrielError } from '../kernel/errors.ts';
import type { NetworkPolicy } from '../model/network.ts';
import type { UrlGuard } from '../model/url-guard.ts';

export class PlainUrlGuard implements UrlGuard {
  admit(url: string, _policy: NetworkPolicy): string {
    if (!URL.canParse(url)) throw new OrielError('bad_input', 'bad url');
    return new URL(url).href;
  }
}
