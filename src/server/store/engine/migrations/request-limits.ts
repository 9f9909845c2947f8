/**
 * The requests of a key that count under a policy. Entry n says that `totals[n]` requests had been admitted up to and
 * including the moment `since + moments[n]`, and `base` before the first; both arrays ascend, so a binary search finds
 * what a window contains. Microseconds. A row fits into a page, so nothing of it is stored elsewhere or compressed.
 */
const table = `CREATE TABLE request_limit (
  key text COLLATE "C" NOT NULL, policy text COLLATE "C" NOT NULL,
  since bigint NOT NULL DEFAULT 0, moments integer[] NOT NULL DEFAULT '{}', totals integer[] NOT NULL DEFAULT '{}',
  base integer NOT NULL DEFAULT 0, idle_at bigint NOT NULL DEFAULT 0, PRIMARY KEY (key, policy)
) WITH (fillfactor = 40, toast_tuple_target = 8160)`;

/**
 * Admits requests, in groups of equal ones: group n asks for `wanted[n]` requests with `keys[n]`, for the token of an
 * application (or none) of a generation. Its policies are the elements of the last arrays whose `owners` are n. No two
 * groups have a policy with the same key.
 *
 * Rows are locked in one order, so that no two calls wait for each other. The moment of admission is read after that,
 * and is the database's clock unless `clock` (microseconds) is given, which is for tests. If that clock was set back,
 * the counted moments are set back with it, so that they expire a window from now at the latest.
 *
 * Up to a quota of 600 each moment has an entry. Above, entries within a 300th of the window become one at the later
 * moment, which never admits more.
 */
const take = `CREATE FUNCTION take_requests(
  keys text[], wanted integer[], applications text[], generations bigint[],
  owners integer[], policies text[], quotas bigint[], windows bigint[], clock bigint
) RETURNS TABLE (
  owner bigint, policy text, admitted bigint, remaining bigint, reset bigint, valid integer
) LANGUAGE plpgsql
-- The tables may have been empty when a plan was made, so no plan may depend on it.
SET jit = off SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  at bigint;
  locked bigint;
BEGIN
  -- A row may be swept between the two statements.
  LOOP
    INSERT INTO request_limit (key, policy)
      SELECT keys[e.owner], e.policy FROM unnest(owners, policies) AS e (owner, policy) ORDER BY 1, 2
      ON CONFLICT (key, policy) DO NOTHING;
    PERFORM 1 FROM unnest(owners, policies) AS e (owner, policy)
      JOIN request_limit AS l ON l.key = keys[e.owner] AND l.policy = e.policy
      ORDER BY l.key, l.policy FOR UPDATE OF l;
    GET DIAGNOSTICS locked = ROW_COUNT;
    EXIT WHEN locked = cardinality(owners);
  END LOOP;
  at := coalesce(clock, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint);
  RETURN QUERY
  WITH asked AS (
    SELECT g.owner, g.key, g.wanted,
      g.application IS NULL OR (application.generation = g.generation AND application.revoked_at IS NULL) IS TRUE AS valid
    FROM unnest(keys, wanted, applications, generations) WITH ORDINALITY
      AS g (key, wanted, application, generation, owner)
    LEFT JOIN application ON application.id = g.application
  ), stored AS (
    SELECT asked.*, e.policy, e.quota, e.span, l.moments, l.totals, l.base, cardinality(l.moments) AS size,
      l.since AS stored_since,
      l.since - greatest(0, l.since + l.moments[cardinality(l.moments)] - at) AS since
    FROM unnest(owners, policies, quotas, windows) AS e (owner, policy, quota, span)
    JOIN asked ON asked.owner = e.owner
    JOIN request_limit AS l ON l.key = asked.key AND l.policy = e.policy
  ), expiring AS (
    SELECT *, at - since AS present,
      width_bucket(least(at - since - span, 2147483647)::integer, moments) AS expired FROM stored
  ), counted AS (
    SELECT *, coalesce(totals[expired], base) AS before, coalesce(totals[size], base) AS after FROM expiring
  ), decided AS (
    SELECT *, CASE WHEN valid
      THEN greatest(0, least(wanted, min(quota - (after - before)) OVER (PARTITION BY owner)))::integer ELSE 0
    END AS admitted FROM counted
  ), formed AS (
    SELECT *,
      CASE WHEN expired = size THEN 'new' WHEN present > 2147483647 THEN 'moved' ELSE 'extended' END AS form,
      size - (admitted > 0 AND quota > 600 AND size > expired + 1
        AND present - moments[size - 1] < span / 300)::integer AS kept
    FROM decided
  ), saved AS (
    UPDATE request_limit AS l SET
      since = CASE form WHEN 'new' THEN at WHEN 'moved' THEN at - span ELSE f.since END,
      moments = CASE form WHEN 'new' THEN '{}'
          WHEN 'moved' THEN ARRAY(SELECT (moment - present + span)::integer
            FROM unnest(f.moments[expired + 1:kept]) WITH ORDINALITY AS u (moment, n) ORDER BY n)
          ELSE f.moments[expired + 1:kept] END
        || CASE WHEN admitted > 0
          THEN ARRAY[CASE form WHEN 'new' THEN 0 WHEN 'moved' THEN span ELSE present END::integer] ELSE '{}' END,
      totals = CASE form WHEN 'new' THEN '{}'
          WHEN 'moved' THEN ARRAY(SELECT total - before
            FROM unnest(f.totals[expired + 1:kept]) WITH ORDINALITY AS u (total, n) ORDER BY n)
          ELSE f.totals[expired + 1:kept] END
        || CASE WHEN admitted > 0
          THEN ARRAY[CASE form WHEN 'extended' THEN after ELSE after - before END + admitted] ELSE '{}' END,
      base = CASE form WHEN 'extended' THEN before ELSE 0 END,
      idle_at = at + span
    FROM formed AS f
    WHERE l.key = f.key AND l.policy = f.policy AND (admitted > 0 OR stored_since <> f.since)
  )
  SELECT owner, policy, admitted::bigint, greatest(0, quota - (after - before) - admitted),
    CASE WHEN after = before THEN span ELSE
      moments[1 + greatest(expired, width_bucket((before + greatest(0, after - before - quota))::integer, totals))]
        - present + span END,
    valid::integer
  FROM decided;
END $$`;

/** The limits of requests, which several processes share. SQLite's one process has them in memory. */
export const requestLimits = [table, take];
