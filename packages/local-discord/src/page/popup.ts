import { div, element, span } from './dom.ts';

export interface PopupItem {
  testid: string;
  icon?: string;
  name: string;
  /** What a command takes, beside its name. */
  options?: readonly { name: string; required?: boolean }[];
  description?: string;
  /** At the end of the row. */
  note?: string;
  choose: () => void;
}

export interface PopupContent {
  testid: string;
  /** A caption, or what is being filled in. */
  title: string | { name: string; description: string } | null;
  items: readonly PopupItem[];
  /** Shown when there is nothing to choose from. */
  empty?: string | null;
  /** Marks the first row, so that Enter takes it. */
  preselect: boolean;
}

export type Popup = ReturnType<typeof createPopup>;

/** The list above the composer: rows to choose from with arrows, Tab, Enter or the mouse. */
export function createPopup() {
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
    show({ title, items, empty, preselect, testid }: PopupContent): void {
      rows = items.map((item) => ({ choose: item.choose, node: rowNode(item) }));
      node.dataset['testid'] = testid;
      node.replaceChildren(
        ...(title ? [titleNode(title)] : []),
        ...rows.map((row) => row.node),
        ...(rows.length === 0 && empty ? [div('popup-empty', empty)] : []),
      );
      node.hidden = node.childElementCount === 0;
      node.scrollTop = 0;
      mark(preselect && rows.length > 0 ? 0 : -1);
    },
    hide(): void {
      node.hidden = true;
      rows = [];
      selected = -1;
    },
    /** Moves through the rows by arrows, takes one by Enter or Tab. False when the key was for somebody else. */
    handleKey(event: KeyboardEvent): boolean {
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

function titleNode(title: NonNullable<PopupContent['title']>): HTMLElement {
  if (typeof title === 'string') return div('popup-title', title);
  return div('popup-title', element('b', {}, `${title.name} `), element('span', {}, title.description));
}

function rowNode(item: PopupItem): HTMLElement {
  const { testid, icon, name, options = [], description, note, choose } = item;
  // Keeps the focus in the field while the mouse chooses.
  const onmousedown = (event: Event): void => event.preventDefault();
  return element(
    'button',
    {
      className: 'row',
      role: 'option',
      tabindex: -1,
      'data-testid': testid,
      onmousedown,
      onclick: choose,
    },
    icon ? element('img', { src: icon, alt: '' }) : null,
    span(
      'row-main',
      span(
        'row-name',
        name,
        ...options.map((one) => span(`row-option${one.required ? ' required' : ''}`, one.name)),
      ),
      description ? span('row-description', description) : null,
    ),
    note ? span('row-app', note) : null,
  );
}
