import { element } from './dom.js';
import { isGrouped, messageNode } from './message.js';

/** The messages of the open channel, kept drawn: only what changed is drawn anew. */
export function createTimeline(container, scroller, actions) {
  const list = element('discord-messages', { 'no-background': true });
  container.replaceChildren(list);
  let messages = [];
  let look = { names: {}, colors: {}, me: { id: '', roles: [] } };
  const nodes = new Map();

  const atEnd = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 120;
  const toEnd = () => {
    scroller.scrollTop = scroller.scrollHeight;
  };

  function draw(message, index) {
    const grouped = isGrouped(message, messages[index - 1]);
    const node = messageNode(
      message,
      { ...look, grouped },
      {
        use: (action, details) => actions.use(message, action, details),
        dismiss: () => actions.dismiss(message),
      },
    );
    nodes.get(message.id)?.replaceWith(node);
    nodes.set(message.id, node);
    return node;
  }

  function drawAll() {
    nodes.clear();
    list.replaceChildren(...messages.map(draw));
    toEnd();
    // Components draw themselves a moment later and grow.
    setTimeout(toEnd, 60);
    setTimeout(toEnd, 300);
  }

  return {
    show(next, nextLook) {
      messages = next;
      look = nextLook;
      drawAll();
    },
    /** A message that came or changed. */
    put(message) {
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
    remove(messageId) {
      const index = messages.findIndex((one) => one.id === messageId);
      if (index < 0) return;
      messages.splice(index, 1);
      nodes.get(messageId)?.remove();
      nodes.delete(messageId);
      if (messages[index]) draw(messages[index], index);
    },
  };
}
