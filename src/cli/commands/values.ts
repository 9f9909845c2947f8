import { InvalidArgumentError } from 'commander';
import { scopes, type Scope } from '../../api/access.ts';
import { parseIdentifier } from '../../api/identifiers.ts';
import { parseRoles, rolesExpectation, type Role } from '../../config/roles.ts';
import type { BannedId } from '../../server/ingest/bans/by-hand.ts';
import {
  type IdentifiedTarget,
  parseRightsTarget,
  rightsTargetExpectation,
} from '../../server/ingest/players/rights-target.ts';

const findIt = '"outpost player find NAME" shows that of a player.';

export function readTarget(text: string): IdentifiedTarget {
  const target = parseRightsTarget(text);
  if (target === null) throw new InvalidArgumentError(`Expected ${rightsTargetExpectation}. ${findIt}`);
  return target;
}

export function readPlayer(text: string): BannedId {
  const identifier = parseIdentifier(text);
  if (identifier !== null) return identifier;
  const { dayzId } = readTarget(text).identity;
  return { kind: 'dayzId', value: dayzId as string };
}

const units: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

const longestDuration = 100 * 365.25 * 86_400_000;

/** `7d` in milliseconds. */
export function readDuration(text: string): number {
  const [, figure, unit = ''] = /^([1-9][0-9]{0,5})([mhdw])$/.exec(text) ?? [];
  const length = units[unit];
  if (figure === undefined || length === undefined) {
    throw new InvalidArgumentError('Expected a number and m, h, d or w, such as 12h or 7d.');
  }
  const duration = Number(figure) * length;
  if (duration > longestDuration) {
    throw new InvalidArgumentError('Expected at most 100 years; leave it out for a permanent ban.');
  }
  return duration;
}

/** Reads a text of some length. @param what `a name` */
const textOf =
  (what: string, longest: number) =>
  (text: string): string => {
    const trimmed = text.trim();
    if (trimmed !== '' && trimmed.length <= longest) return trimmed;
    throw new InvalidArgumentError(`Expected ${what} of 1 to ${longest} characters.`);
  };

export const readName = textOf('a name', 100);
/** As long as the reasons that are read from ban files. */
export const readReason = textOf('a reason', 1000);

export function readScopes(text: string): Scope[] {
  if (text === 'all') return [...scopes];
  const wanted = text.split(',').map((scope) => scope.trim());
  const unknown = wanted.filter((scope) => !scopes.includes(scope as Scope));
  if (unknown.length > 0) {
    throw new InvalidArgumentError(
      `unknown: ${unknown.join(', ')}. Expected "all" or some of ${scopes.join(', ')}.`,
    );
  }
  return scopes.filter((scope) => wanted.includes(scope));
}

export function readRoles(list: string): readonly Role[] {
  const roles = parseRoles(list);
  if (roles === null)
    throw new InvalidArgumentError(`${rolesExpectation[0]?.toUpperCase()}${rolesExpectation.slice(1)}.`);
  return roles;
}
