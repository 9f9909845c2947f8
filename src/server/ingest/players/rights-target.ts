import { parseIdentifier } from '../../../api/identifiers.ts';
import type { RightsTarget } from '../../store/repositories/rights/forget-player.ts';
import { dayzIdPattern } from 'dayz-files/ids';

/** The accepted forms, for messages. */
export const rightsTargetExpectation =
  'a SteamID64 (17 digits), a BattlEye GUID (32 hex digits), a CFTools id (24 hex digits), or the id of an admin log ' +
  '(44 characters, or 40 on Xbox)';

export type IdentifiedTarget = Extract<RightsTarget, { identity: unknown }>;

/** The person whom an identifier names; null: it is none. Besides the contract's identifiers, the game's own. */
export function parseRightsTarget(text: string): IdentifiedTarget | null {
  const trimmed = text.trim();
  if (dayzIdPattern.test(trimmed)) return { identity: { dayzId: trimmed } };
  const identifier = parseIdentifier(trimmed);
  return identifier === null ? null : { identity: { [identifier.kind]: identifier.value } };
}
