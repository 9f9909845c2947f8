import type { FastifyInstance } from 'fastify';
import { jsonAnswer, type Answer } from './answers/answer.ts';
import { addRoute } from './routes.ts';

/** The parts that must work for the service to be ready, by name. */
export type Readiness = Readonly<Record<string, () => boolean>>;

/** By path: `/healthz` (the process is alive) and `/readyz` (it can serve requests), for supervisors and load balancers. */
export function healthAnswers(parts: () => Readiness): Readonly<Record<string, () => Promise<Answer>>> {
  return {
    '/healthz': async () => jsonAnswer(200, { status: 'alive' }),
    async '/readyz'() {
      const checks = Object.fromEntries(Object.entries(parts()).map(([name, works]) => [name, works()]));
      const isReady = Object.values(checks).every(Boolean);
      return jsonAnswer(isReady ? 200 : 503, { status: isReady ? 'ready' : 'unavailable', checks });
    },
  };
}

export function addHealthRoutes(app: FastifyInstance, parts: () => Readiness): void {
  for (const [url, answer] of Object.entries(healthAnswers(parts))) {
    addRoute(app, { method: 'GET', url, operation: url.slice(1), answer });
  }
}
