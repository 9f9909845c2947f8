import type { GameDig } from 'gamedig';

/** Packets that came from one address since this was made. */
interface PacketCounter {
  any(): boolean;
  close(): void;
}

type OnPacket = (address: string, port: number) => void;

/**
 * Tells silence from an unreadable answer: GameDig reports both as a time-out. It reads `queryRunner.udpSocket`, which
 * GameDig's types do not name, and nothing else in Outpost does. Where a version of GameDig does not have it, every
 * time-out counts as silence.
 */
export function watchUdp(gamedig: GameDig): (address: string, queryPort: number | null) => PacketCounter {
  const listeners = new Set<OnPacket>();
  const { queryRunner } = gamedig as unknown as {
    queryRunner?: { udpSocket?: { addCallback?(callback: OnPacket): void } };
  };
  queryRunner?.udpSocket?.addCallback?.((address, port) => {
    for (const listener of listeners) listener(address, port);
  });
  return (address, queryPort) => {
    let any = false;
    const listener: OnPacket = (from, port) => {
      if (from === address && (queryPort === null || port === queryPort)) any = true;
    };
    listeners.add(listener);
    return { any: () => any, close: () => void listeners.delete(listener) };
  };
}
