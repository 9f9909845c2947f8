import assert from 'node:assert/strict';
import http from 'node:http';
import https from 'node:https';
import { expectErrorBody } from './error-body.ts';

export interface Sent {
  method?: string;
  headers?: Readonly<Record<string, string | readonly string[]>>;
  body?: string | Buffer;
}

export interface Answer {
  status: number;
  /** Names in lower case; repeated ones joined by a comma. */
  headers: Readonly<Record<string, string>>;
  text: string;
  // Cases look into answers freely and say what they expect of them.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

/** A request that is sent as the service closes an idle connection is lost. Most keep them for five seconds or longer. */
const connections = { keepAlive: true, timeout: 4_000, maxSockets: 1_100 };
const agents = { 'http:': new http.Agent(connections), 'https:': new https.Agent(connections) };

/** Closes the connections that are kept open between exchanges. */
export function closeConnections(): void {
  for (const agent of Object.values(agents)) agent.destroy();
}

/** One request as it is: no header is added but `Host`, the path is not normalised, the answer is not judged. */
export async function exchange(base: string, path: string, sent: Sent = {}): Promise<Answer> {
  const { protocol, hostname, port, pathname } = new URL(base);
  const { request } = protocol === 'https:' ? https : http;
  const options = {
    agent: agents[protocol as 'http:'],
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port,
    path: pathname.replace(/\/$/, '') + path,
    method: sent.method ?? 'GET',
    headers: {
      ...(sent.body === undefined ? {} : { 'Content-Length': Buffer.byteLength(sent.body) }),
      ...(sent.headers as Record<string, string>),
    },
  };
  return await new Promise((resolve, reject) => {
    const outgoing = request(options, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const headers = Object.fromEntries(
          Object.entries(incoming.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
        );
        let body: unknown = null;
        if (text !== '' && /\bjson\b/.test(headers['content-type'] ?? '')) {
          try {
            body = JSON.parse(text);
          } catch (error) {
            reject(
              new Error(`${path}: the answer says it is JSON and is not: ${text.slice(0, 200)}`, {
                cause: error,
              }),
            );
            return;
          }
        }
        resolve({ status: incoming.statusCode ?? 0, headers, text, body });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(sent.body);
  });
}

/** What holds for every answer of the service: JSON, a request id, and errors of the one form. */
export function expectPlainAnswer(answer: Answer): void {
  const { status, headers, text, body } = answer;
  assert.ok(headers['x-request-id'], 'expected every answer to carry X-Request-Id');
  if (text === '') return;
  assert.equal(headers['content-type'], 'application/json; charset=utf-8', 'expected a JSON answer');
  if (status >= 400) expectErrorBody(body, status, headers['x-request-id']);
}
