/** What a load balancer asks before it sends requests: each part by its name, and whether it works. */
export type Readiness = Readonly<Record<string, boolean>>;

export interface ReadinessAnswer {
  status: 200 | 503;
  body: { status: 'ready' | 'unavailable'; checks: Readiness };
}

/** Asks every part; one that throws does not work. */
export function readinessAnswer(parts: Readonly<Record<string, () => boolean>>): ReadinessAnswer {
  const checks = Object.fromEntries(
    Object.entries(parts).map(([name, works]) => {
      try {
        return [name, works()];
      } catch {
        return [name, false];
      }
    }),
  );
  const ready = Object.values(checks).every(Boolean);
  return { status: ready ? 200 : 503, body: { status: ready ? 'ready' : 'unavailable', checks } };
}
