import { element } from './dom.js';

/** The list above the composer: rows to choose from with arrows, Tab, Enter or the mouse. */
export function createPopup() {
  const node = element('div', { className: 'popup', role: 'listbox', hidden: true });
  let rows = [];
  let selected = -1;

  function mark(index) {
    selected = index;
    for (const [at, row] of rows.entries()) row.node.setAttribute('aria-selected', String(at === index));
    rows[index]?.node.scrollIntoView({ block: 'nearest' });
  }

  return {
    node,
    /** `items`: { content: Node[], testid, choose() }. `preselect` marks the first, so that Enter takes it. */
    show({ title, items, empty, preselect, testid }) {
      rows = items.map((item) => ({
        ...item,
        node: element(
          'button',
          {
            className: 'row',
            type: 'button',
            role: 'option',
            tabindex: -1,
            'data-testid': item.testid,
            // Keeps the focus in the field while the mouse chooses.
            onmousedown: (event) => event.preventDefault(),
            onclick: () => item.choose(),
          },
          ...item.content,
        ),
      }));
      node.dataset.testid = testid ?? 'popup';
      node.replaceChildren(
        ...(title ? [element('div', { className: 'popup-title' }, ...title)] : []),
        ...rows.map((row) => row.node),
        ...(rows.length === 0 && empty ? [element('div', { className: 'popup-empty' }, empty)] : []),
      );
      node.hidden = node.childElementCount === 0;
      node.scrollTop = 0;
      mark(preselect && rows.length > 0 ? 0 : -1);
    },
    hide() {
      node.hidden = true;
      rows = [];
      selected = -1;
    },
    move(step) {
      if (rows.length > 0) mark((selected + step + rows.length) % rows.length);
    },
    /** Takes the marked row. False when none is. */
    choose() {
      const row = rows[selected];
      if (node.hidden || !row) return false;
      row.choose();
      return true;
    },
    get open() {
      return !node.hidden && rows.length > 0;
    },
  };
}
