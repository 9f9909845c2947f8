import type { FastifyInstance } from 'fastify';
import { jsonAnswer, type Answer } from './answers/answer.ts';
import { addRoute } from './routes.ts';

/** The parts that must work for the service to be ready, by name. */
export type Readiness = Readonly<Record<string, () => boolean>>;

/** How many leases a process holds, by kind. Undefined: it has the store alone. */
export type HeldWork = () => Readonly<Record<string, number>> | undefined;

/** By path: `/healthz` (the process is alive) and `/readyz` (it can serve requests), for supervisors and load balancers. */
export function healthAnswers(
  parts: () => Readiness,
  held: HeldWork,
): Readonly<Record<string, () => Promise<Answer>>> {
  return {
    '/healthz': async () => jsonAnswer(200, { status: 'alive' }),
    async '/readyz'() {
      const state = readinessOf(parts(), held);
      return jsonAnswer(state.status === 'ready' ? 200 : 503, state);
    },
  };
}

export function addHealthRoutes(app: FastifyInstance, parts: () => Readiness, held: HeldWork): void {
  for (const [url, answer] of Object.entries(healthAnswers(parts, held))) {
    addRoute(app, { method: 'GET', url, operation: url.slice(1), answer });
  }
}

/** Asks every part. */
function readinessOf(
  parts: Readiness,
  held: HeldWork,
): {
  status: 'ready' | 'unavailable';
  checks: Record<string, boolean>;
  leases?: Readonly<Record<string, number>>;
} {
  const checks = Object.fromEntries(Object.entries(parts).map(([name, works]) => [name, works()]));
  const leases = held();
  const status = Object.values(checks).every(Boolean) ? 'ready' : 'unavailable';
  return { status, checks, ...(leases !== undefined && { leases }) };
}
