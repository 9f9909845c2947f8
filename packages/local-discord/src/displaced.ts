import type { WebSocket } from 'ws';

/** What a connection gets when another one resumes its session. Discord does not document it. */
export const displace = {
  /** Ends without a close frame. */
  cut: (socket: WebSocket) => socket.terminate(),
  close: (socket: WebSocket) => socket.close(4000, 'Unknown error.'),
  reconnect: (socket: WebSocket) => socket.send(JSON.stringify({ op: 7, d: null })),
  invalidate: (socket: WebSocket) => socket.send(JSON.stringify({ op: 9, d: false })),
  /** Stays open and gets no more events. */
  ignore: () => undefined,
} as const satisfies Record<string, (socket: WebSocket) => void>;

export type WhenDisplaced = keyof typeof displace;
