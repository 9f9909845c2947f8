import type { LocalEvent, Message } from '../discord-types.ts';
import type { Choice, StateView } from './protocol.ts';

/** The page's way to the local Discord: JSON over this origin, and a stream of events. */

/** What the viewer does: the last part of the path. */
export type Action = 'invoke' | 'autocomplete' | 'click' | 'select' | 'send' | 'remove';

async function read(response: Response): Promise<unknown> {
  const body = (await response.json()) as { error?: string };
  if (!response.ok) throw new Error(body.error ?? `HTTP ${response.status}`);
  return body;
}

async function get(name: string, query: Record<string, string>): Promise<unknown> {
  return read(await fetch(`/client/${name}?${new URLSearchParams(query)}`));
}

export async function fetchState(userId: string): Promise<StateView> {
  return (await get('state', { user: userId })) as StateView;
}

export async function fetchMessages(channelId: string, userId: string): Promise<Message[]> {
  const answer = await get('messages', { channel: channelId, user: userId });
  return (answer as { messages: Message[] }).messages;
}

/** @throws Error with what Discord's client would complain about. */
export async function post(action: Action, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  return read(await fetch(`/client/${action}`, { method: 'POST', headers, body: JSON.stringify(body) }));
}

export async function complete(body: object): Promise<Choice[]> {
  return ((await post('autocomplete', body)) as { choices: Choice[] }).choices;
}

/** Calls back for each event that a persona may see, and at every (re)connection; returns how to stop. */
export function follow(
  userId: string,
  onEvent: (event: LocalEvent) => void,
  onConnect: () => void,
): () => void {
  const source = new EventSource(`/client/events?${new URLSearchParams({ user: userId })}`);
  source.addEventListener('message', (event: MessageEvent<string>) =>
    onEvent(JSON.parse(event.data) as LocalEvent),
  );
  source.addEventListener('open', onConnect);
  return () => source.close();
}
