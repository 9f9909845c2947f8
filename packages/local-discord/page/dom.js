/**
 * Makes an element. `properties` sets attributes (`data-…`, `aria-…`), listeners (`onclick`) and properties;
 * children are nodes or text. Text stays text: nothing here ever parses markup.
 */
export function element(name, properties = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (key === 'className') node.className = value;
    else node.setAttribute(key, value === true ? '' : String(value));
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** Where a link of a message may lead. */
export function webAddress(text) {
  try {
    const url = new URL(text);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
  } catch {
    return null;
  }
}

/** A link that opens elsewhere, or plain text when the address is none. */
export function link(address, className, ...children) {
  const href = webAddress(address);
  if (!href) return element('span', { className }, ...children);
  return element('a', { className, href, target: '_blank', rel: 'noopener noreferrer' }, ...children);
}
