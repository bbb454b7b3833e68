/**
 * What a node is, without `instanceof`: a debugger that looks into a frame from outside leaves its
 * nodes with the classes of another window (see docs/discoveries/lens-foreign-wrappers.md).
 */
const HTML = 'http://www.w3.org/1999/xhtml';

function isHtml(element: Element, tag: string): boolean {
  return element.localName === tag && element.namespaceURI === HTML;
}

export function isElement(node: unknown): node is Element {
  return (node as Node | null)?.nodeType === 1;
}

export function isText(node: unknown): node is Text {
  return (node as Node | null)?.nodeType === 3;
}

export function isNode(value: unknown): value is Node {
  return typeof (value as Node | null)?.nodeType === 'number';
}

export function isInput(element: Element): element is HTMLInputElement {
  return isHtml(element, 'input');
}

export function isTextArea(element: Element): element is HTMLTextAreaElement {
  return isHtml(element, 'textarea');
}

export function isSelect(element: Element): element is HTMLSelectElement {
  return isHtml(element, 'select');
}

export function isOption(element: Element): element is HTMLOptionElement {
  return isHtml(element, 'option');
}

export function isMedia(element: Element): element is HTMLMediaElement {
  return isHtml(element, 'video') || isHtml(element, 'audio');
}

export function isProgress(element: Element): element is HTMLProgressElement {
  return isHtml(element, 'progress');
}

export function isMeter(element: Element): element is HTMLMeterElement {
  return isHtml(element, 'meter');
}

export function isDialog(element: Element): element is HTMLDialogElement {
  return isHtml(element, 'dialog');
}

export function isSvg(element: Element): boolean {
  return element.namespaceURI === 'http://www.w3.org/2000/svg';
}
