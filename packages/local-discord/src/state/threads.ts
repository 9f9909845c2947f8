import type { Channel, State } from './state.ts';
import { channelJson } from '../wire.ts';

/** Opens, archives or locks a thread, and sends the bot THREAD_UPDATE. */
export function setThread(
  state: State,
  channel: Channel,
  change: { archived?: boolean; locked?: boolean },
): void {
  if (channel.thread === null) throw new Error(`${channel.id} is no thread`);
  Object.assign(channel.thread, change);
  state.dispatch('THREAD_UPDATE', channelJson(channel), { guildId: channel.guildId, intent: 1 });
}
