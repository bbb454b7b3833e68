import { shadowOf } from './flat-tree.ts';
import { squeeze } from './text.ts';

/**
 * The best that is known of a control nobody named: a tooltip of a library, the title of a
 * picture, its file, or the words of its classes. '' when even that says nothing.
 */
export function guessName(element: Element): string {
  const hint = (at: Element): string =>
    at.getAttribute('title') ||
    at.getAttribute('data-tooltip') ||
    at.getAttribute('data-original-title') ||
    at.getAttribute('data-title') ||
    at.getAttribute('data-icon') ||
    '';
  const own = hint(element);
  if (own) return squeeze(own);
  const inner: Element[] = [
    ...element.querySelectorAll('svg, img, i, use, [class*=icon], span'),
  ].slice(0, 12);
  const shadow = shadowOf(element);
  if (shadow)
    inner.push(...[...shadow.querySelectorAll('svg, img, i, use, [class*=icon]')].slice(0, 12));
  for (const at of inner) {
    const title =
      at.localName === 'svg' ? at.querySelector(':scope > title')?.textContent : undefined;
    const said = title || at.getAttribute('aria-label') || at.getAttribute('alt') || hint(at);
    if (said) return squeeze(said);
  }
  for (const at of inner) {
    const link = at.getAttribute('href') ?? at.getAttribute('xlink:href') ?? at.getAttribute('src');
    if (link && !link.startsWith('data:')) {
      const file = /([^/#?]+?)(?:\.\w{2,5})?(?:\?[^#]*)?$/.exec(link.split('#').pop() ?? '')?.[1];
      if (file) return words(decode(file));
    }
  }
  for (const at of [element, ...inner]) {
    const fromClass = classWords(at);
    if (fromClass) return fromClass;
  }
  const id = element.getAttribute('data-testid') ?? element.getAttribute('name') ?? element.id;
  return id && !/\d{3,}|^:/.test(id) ? words(id) : '';
}

const NOISE = new Set([
  'icon',
  'icons',
  'ico',
  'btn',
  'button',
  'fa',
  'fas',
  'far',
  'fab',
  'fal',
  'fad',
  'bi',
  'mdi',
  'material',
  'lucide',
  'glyphicon',
  'svg',
  'img',
  'image',
  'sm',
  'md',
  'lg',
  'xl',
  'xs',
  'small',
  'large',
  'primary',
  'secondary',
  'default',
  'inline',
  'block',
  'flex',
  'w',
  'h',
  'p',
  'm',
  'px',
  'py',
  'mx',
  'my',
  'text',
  'ant',
  'anticon',
  'el',
  'v',
  'ui',
  'rounded',
  'hover',
  'active',
  'focus',
  'solid',
  'regular',
  'outline',
  'outlined',
  'size',
  'is',
  'has',
  'the',
  'a',
  'link',
  'item',
  'wrapper',
  'container',
  'inner',
  'outer',
  'round',
  'root',
  'base',
  'ghost',
  'clickable',
  'pointer',
  'cursor',
]);

function classWords(element: Element): string {
  // A class that says "icon" names the icon better than any other.
  const names = (element.getAttribute('class') ?? '')
    .split(/\s+/)
    .toSorted(
      (a, b) =>
        Number(/icon|^(fa|bi|mdi|lucide)-/.test(b)) - Number(/icon|^(fa|bi|mdi|lucide)-/.test(a)),
    );
  for (const name of names) {
    if (!/^[a-zA-Z][\w-]*$/.test(name) || /\d{2,}/.test(name)) continue;
    const kept = words(name)
      .split(' ')
      .filter((word) => word.length > 1 && !NOISE.has(word) && /[aeiouyx]/.test(word));
    if (kept.length > 0) return kept.join(' ');
  }
  return '';
}

function words(text: string): string {
  return squeeze(
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .replace(/[-_.]+/g, ' ')
      .toLowerCase(),
  ).slice(0, 60);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
