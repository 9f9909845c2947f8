import { count } from './output.ts';

const minuteMs = 60_000;

/** Where most game servers are, likely first: those who know no better take the first that fits. */
const usualZones =
  'Europe/Berlin Europe/London America/New_York America/Chicago America/Los_Angeles Europe/Moscow Europe/Kyiv ' +
  'Europe/Istanbul America/Denver America/Sao_Paulo Australia/Sydney Asia/Singapore Asia/Tokyo Asia/Kolkata ' +
  'Asia/Dubai Asia/Yekaterinburg Asia/Novosibirsk Africa/Johannesburg Australia/Adelaide Pacific/Auckland';

export const machineZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** How much a zone's clocks are ahead of UTC. */
export function offsetOf(zone: string, at: number): number {
  const text = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }).format(at);
  const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(text) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minuteMs;
}

/** The named zones whose clocks are so much ahead of UTC at a time, likely first. @param own the likeliest */
export function zonesWith(offsetMs: number, at: number, own: string): string[] {
  const named = [own, 'UTC', ...usualZones.split(' '), ...Intl.supportedValuesOf('timeZone')];
  return [...new Set(named)].filter((zone) => !zone.startsWith('Etc/') && offsetOf(zone, at) === offsetMs);
}

/** `3 hours ahead of UTC` */
export function offsetText(offsetMs: number): string {
  if (offsetMs === 0) return 'that of UTC';
  const hours = Math.abs(offsetMs) / (60 * minuteMs);
  return `${count(hours, 'hour')} ${offsetMs > 0 ? 'ahead of' : 'behind'} UTC`;
}
