// A function that takes a certain event takes `never`, too: so every listener fits here.
type Listener = (event: never) => void;
export type Properties = Record<string, string | number | boolean | null | undefined | Listener>;
export type Child = Node | string | null | undefined;

/**
 * Makes an element. `properties` are attributes, `className` and listeners (`onclick`); null, undefined and false are left
 * out. Children are nodes or text. Text stays text: nothing here ever parses markup.
 */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties?: Properties,
  ...children: Child[]
): HTMLElementTagNameMap[Name];
export function element(name: string, properties?: Properties, ...children: Child[]): HTMLElement;
export function element(name: string, properties: Properties = {}, ...children: Child[]): HTMLElement {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') node.addEventListener(key.slice(2), value as EventListener);
    else if (key === 'className') node.className = String(value);
    else node.setAttribute(key, value === true ? '' : String(value));
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** A part of a line with this class. */
export const span = (className: string, ...children: Child[]): HTMLElement =>
  element('span', { className }, ...children);

/** A block with this class. */
export const div = (className: string, ...children: Child[]): HTMLElement =>
  element('div', { className }, ...children);

/** The element of index.html with this id. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`index.html has no element with the id ${id}`);
  return found;
}

/** The address when it is one of the web, else null. */
export function webAddress(text: string | undefined): string | null {
  if (text === undefined || !URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
}

/** A link that opens in a new tab, or plain text when the address is not of the web. */
export function link(address: string | undefined, className: string, ...children: Child[]): HTMLElement {
  const href = webAddress(address);
  if (!href) return element('span', { className }, ...children);
  return element('a', { className, href, target: '_blank', rel: 'noopener noreferrer' }, ...children);
}
