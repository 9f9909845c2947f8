import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The answers of each connection that are not sent yet. */
export interface OpenAnswers {
  note(response: ServerResponse): void;
  /** Oldest first. */
  of(socket: Duplex): ServerResponse[];
}

export function createOpenAnswers(): OpenAnswers {
  const bySocket = new WeakMap<Duplex, ServerResponse[]>();
  return {
    note(response) {
      const { socket } = response.req;
      const noted = bySocket.get(socket);
      // Answers are sent in order, so when the last one is sent, all are.
      if (noted === undefined || noted.at(-1)?.writableFinished !== false) bySocket.set(socket, [response]);
      else noted.push(response);
    },
    of: (socket) => (bySocket.get(socket) ?? []).filter((response) => !response.writableFinished),
  };
}
