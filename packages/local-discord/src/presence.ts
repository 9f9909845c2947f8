/** A bot's presence as members see it. */
export interface Presence {
  status: string;
  activity: string | null;
}

/** What Discord writes before an activity of each type; nothing before a custom one (4). */
const activityVerbs: Record<number, string> = {
  0: 'Playing ',
  1: 'Streaming ',
  2: 'Listening to ',
  3: 'Watching ',
  5: 'Competing in ',
};

/** The presence that a bot sent; null: none. */
export function readPresence(raw: unknown): Presence | null {
  if (typeof raw !== 'object' || raw === null) return null;
  const { status, activities } = raw as {
    status?: unknown;
    activities?: { type?: unknown; name?: unknown; state?: unknown }[];
  };
  const activity = activities?.[0];
  const text = activity ? (activity.state ?? activity.name) : null;
  const verb = activityVerbs[Number(activity?.type)] ?? '';
  return {
    status: typeof status === 'string' ? status : 'online',
    activity: typeof text === 'string' ? `${verb}${text}` : null,
  };
}
