import type { FastifyInstance } from 'fastify';
import { jsonAnswer } from './answer.ts';
import { addRoute } from './routes.ts';

/** The parts that must work for the service to be ready, by name. A part that throws does not work. */
export type Readiness = Readonly<Record<string, () => boolean>>;

/** Adds `/healthz` (the process is alive) and `/readyz` (it can serve requests), for supervisors and load balancers. */
export function addHealthRoutes(app: FastifyInstance, parts: () => Readiness): void {
  addRoute(app, {
    method: 'GET',
    url: '/healthz',
    operation: 'healthz',
    answer: () => jsonAnswer(200, { status: 'alive' }),
  });
  addRoute(app, {
    method: 'GET',
    url: '/readyz',
    operation: 'readyz',
    answer() {
      const state = readinessOf(parts());
      return jsonAnswer(state.status === 'ready' ? 200 : 503, state);
    },
  });
}

/** Asks every part. */
export function readinessOf(parts: Readiness): {
  status: 'ready' | 'unavailable';
  checks: Record<string, boolean>;
} {
  const checks = Object.fromEntries(Object.entries(parts).map(([name, works]) => [name, isTrue(works)]));
  return { status: Object.values(checks).every(Boolean) ? 'ready' : 'unavailable', checks };
}

function isTrue(works: () => boolean): boolean {
  try {
    return works();
  } catch {
    return false;
  }
}
