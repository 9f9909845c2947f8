import { element } from './dom.ts';
import type { Use } from './components.ts';
import { isGrouped, messageNode, type Appearance, type ShownMessage } from './message.ts';

/** The messages of the open channel. Only what changed is drawn anew. */
export function createTimeline(
  container: HTMLElement,
  scroller: HTMLElement,
  actions: {
    use: (message: ShownMessage, ...use: Parameters<Use>) => void;
    dismiss: (message: ShownMessage) => void;
  },
) {
  const list = element('discord-messages', { 'no-background': true });
  container.replaceChildren(list);
  let messages: ShownMessage[] = [];
  let appearance: Appearance = {
    names: { users: {}, roles: {}, channels: {} },
    colors: {},
    viewer: { id: '', roles: [] },
  };
  const nodes = new Map<string, HTMLElement>();

  const atEnd = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 120;
  const toEnd = (): void => {
    scroller.scrollTop = scroller.scrollHeight;
  };

  function draw(message: ShownMessage, index: number): HTMLElement {
    const grouped = isGrouped(message, messages[index - 1]);
    const node = messageNode(message, appearance, {
      grouped,
      use: (action, details) => actions.use(message, action, details),
      dismiss: () => actions.dismiss(message),
    });
    nodes.get(message.id)?.replaceWith(node);
    nodes.set(message.id, node);
    return node;
  }

  function drawAll(): void {
    nodes.clear();
    list.replaceChildren(...messages.map(draw));
    toEnd();
    // Components draw themselves a moment later and grow.
    setTimeout(toEnd, 60);
    setTimeout(toEnd, 300);
  }

  return {
    /** Draws a channel from the start. */
    show(next: ShownMessage[], nextAppearance: Appearance): void {
      messages = next;
      appearance = nextAppearance;
      drawAll();
    },
    /** Adds a message, or draws one anew that changed. */
    put(message: ShownMessage): void {
      const follow = atEnd();
      const index = messages.findIndex((one) => one.id === message.id);
      if (index >= 0) {
        messages[index] = message;
        draw(message, index).classList.add('fresh');
      } else {
        messages.push(message);
        list.append(draw(message, messages.length - 1));
      }
      if (follow) {
        toEnd();
        setTimeout(toEnd, 60);
      }
    },
    remove(messageId: string): void {
      const index = messages.findIndex((one) => one.id === messageId);
      if (index < 0) return;
      messages.splice(index, 1);
      nodes.get(messageId)?.remove();
      nodes.delete(messageId);
      const next = messages[index];
      if (next) draw(next, index);
    },
  };
}
