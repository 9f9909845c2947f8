import { GatewayOpcodes, type GatewaySendPayload } from 'discord.js';

/** What is used of a shard of `@discordjs/ws`. */
export interface GatedShard {
  send(payload: GatewaySendPayload): Promise<void>;
  once(event: 'closed', listener: () => void): unknown;
}

/**
 * Makes a shard ask before each RESUME and IDENTIFY, because discord.js reconnects by itself: even after `destroy`, if that
 * came in the half second before it reconnects, and in a process that was suspended while another took its session over.
 * @param mayLogIn asked each time; whatever it waits for may take long
 * @param refuse called instead of sending it
 */
export function gateLogins(
  shard: GatedShard,
  mayLogIn: () => Promise<boolean>,
  refuse: () => Promise<void>,
): void {
  const send = shard.send.bind(shard);
  shard.send = async (payload) => {
    const { op } = payload;
    if (op !== GatewayOpcodes.Resume && op !== GatewayOpcodes.Identify) return await send(payload);
    let isClosed = false;
    shard.once('closed', () => (isClosed = true));
    const may = await mayLogIn();
    if (isClosed) return;
    await (may ? send(payload) : refuse());
  };
}
