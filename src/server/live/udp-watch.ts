import type { GameDig } from 'gamedig';

interface SeenPorts {
  /** From which packets have come since the watch began. */
  ports: ReadonlySet<number>;
  close(): void;
}

type OnPacket = (address: string, port: number) => void;

/**
 * Distinguishes silence from an unreadable answer: GameDig reports both as a time-out. It reads `queryRunner.udpSocket`, which
 * GameDig's types do not name, and nothing else in Outpost does. Where a version of GameDig does not have it, every
 * time-out counts as silence.
 * @returns a function that begins to watch the ports of one address
 */
export function watchUdp(gamedig: GameDig): (address: string) => SeenPorts {
  const listeners = new Set<OnPacket>();
  const { queryRunner } = gamedig as unknown as {
    queryRunner?: { udpSocket?: { addCallback?(callback: OnPacket): void } };
  };
  queryRunner?.udpSocket?.addCallback?.((address, port) => {
    for (const listener of listeners) listener(address, port);
  });
  return (address) => {
    const ports = new Set<number>();
    const listener: OnPacket = (from, port) => {
      if (from === address) ports.add(port);
    };
    listeners.add(listener);
    return { ports, close: () => void listeners.delete(listener) };
  };
}
