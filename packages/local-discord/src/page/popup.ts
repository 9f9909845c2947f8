import { element, type Child } from './dom.ts';

export interface PopupItem {
  content: Node[];
  testid: string;
  choose: () => void;
}

export interface PopupContent {
  testid: string;
  title?: Child[] | null;
  items: readonly PopupItem[];
  /** Shown when there is nothing to choose from. */
  empty?: string | null;
  /** Marks the first row, so that Enter takes it. */
  preselect: boolean;
}

export interface Popup {
  readonly node: HTMLElement;
  show(content: PopupContent): void;
  hide(): void;
  /** Moves through the rows by arrows, takes one by Enter or Tab. False when the key was for somebody else. */
  handleKey(event: KeyboardEvent): boolean;
}

/** The list above the composer: rows to choose from with arrows, Tab, Enter or the mouse. */
export function createPopup(): Popup {
  const node = element('div', { className: 'popup', role: 'listbox', hidden: true });
  let rows: { node: HTMLElement; choose: () => void }[] = [];
  let selected = -1;

  function mark(index: number): void {
    selected = index;
    for (const [at, row] of rows.entries()) row.node.setAttribute('aria-selected', String(at === index));
    rows[index]?.node.scrollIntoView({ block: 'nearest' });
  }

  return {
    node,
    show({ title, items, empty, preselect, testid }) {
      rows = items.map((item) => ({
        choose: item.choose,
        node: element(
          'button',
          {
            className: 'row',
            type: 'button',
            role: 'option',
            tabindex: -1,
            'data-testid': item.testid,
            // Keeps the focus in the field while the mouse chooses.
            onmousedown: (event: Event) => event.preventDefault(),
            onclick: () => item.choose(),
          },
          ...item.content,
        ),
      }));
      node.dataset['testid'] = testid;
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
    handleKey(event) {
      if (node.hidden || rows.length === 0) return false;
      const row = rows[selected];
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        const step = event.key === 'ArrowDown' ? 1 : -1;
        mark((selected + step + rows.length) % rows.length);
      } else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && row) {
        row.choose();
      } else return false;
      event.preventDefault();
      return true;
    },
  };
}
