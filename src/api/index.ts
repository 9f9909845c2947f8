export { scopes, plans, type Plan, type Scope } from './access.ts';
export { createClient, type ClientOptions } from './client.ts';
export { ServiceError, ServiceUnreachableError, type Answer, type Client } from './client-types.ts';
export { errorCodes, type ErrorBody, type ErrorCode, type ReadErrorBody } from './errors.ts';
export type { HeldTokenData, HeldTokenStore } from './held-token.ts';
export { battleyeGuidOf, dayzIdOf, parseIdentifier, type Identifier } from './identifiers.ts';
export { formatMetricValue, metricCodes, metrics, type MetricCode, type PlayerStat } from './metrics.ts';
export { operations, type OperationId, type OperationInput, type OperationResponse } from './operations.ts';
export type * from './resources.ts';
