import type { FastifyInstance } from 'fastify';
import { noStore } from '../answers/answer.ts';
import { addRoute } from '../routes.ts';

const validForMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Adds `/.well-known/security.txt` (RFC 9116): where to report a vulnerability of this installation. The contact is that
 * of the running config, so each answer is valid from its moment on.
 */
export function addSecurityText(app: FastifyInstance, contact: string, now: () => number): void {
  addRoute(app, {
    method: 'GET',
    url: '/.well-known/security.txt',
    operation: 'security-text',
    answer: async () => ({
      status: 200,
      headers: [...noStore, 'Content-Type', 'text/plain; charset=utf-8'],
      body: `Contact: ${contact}\nExpires: ${new Date(now() + validForMs).toISOString()}\n`,
    }),
  });
}
