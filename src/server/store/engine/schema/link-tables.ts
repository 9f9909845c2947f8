export interface LinkTables {
  player_link: PlayerLinkTable;
  link_challenge: LinkChallengeTable;
  link_progress: LinkProgressTable;
}

/** Which player a member of Discord is: one member, one player of the project, and the other way round. */
interface PlayerLinkTable {
  project_id: string;
  /** Discord id. */
  member_id: string;
  player_id: number;
  /** 0: the member only says so. */
  proven: number;
  linked_at: number;
}

/** The gestures that a member shall make in the game to prove a link. */
interface LinkChallengeTable {
  project_id: string;
  /** Discord id. */
  member_id: string;
  /** JSON array of the game's names, in order; no two of a project are equal. NULL: it is over. */
  gestures: string | null;
  started_at: number;
  /** Gestures that are made later do not count. Those made before may be read later. */
  ends_at: number;
  /** How often gestures were drawn for the member since `drawn_since`. */
  drawn: number;
  drawn_since: number;
}

/** How many of a challenge's gestures a player has made in order. */
interface LinkProgressTable {
  project_id: string;
  member_id: string;
  player_id: number;
  seen: number;
  /** How many gestures that are not the next one the player has made since the first. */
  others: number;
  /** When the player made the latest gesture that counts. */
  last_at: number;
}
