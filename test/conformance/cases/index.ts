import type { ConformanceCase } from '../case.ts';
import { authenticationCases } from './authentication.ts';
import { endpointCases } from './endpoints.ts';
import { errorCases } from './errors.ts';
import { keptAnswerCases } from './kept-answers.ts';
import { limitCases } from './limits.ts';
import { liveCases } from './live.ts';
import { registerCases } from './register.ts';
import { resourceCases } from './resources.ts';
import { secretCases } from './secrets.ts';
import { serviceCases } from './service.ts';
import { slowCases } from './slow.ts';
import { stateCases } from './states.ts';
import { versioningCases } from './versioning.ts';

/** Every case, in the order of the specification and then of the design. */
export const cases: readonly ConformanceCase[] = [
  ...serviceCases,
  ...resourceCases,
  ...stateCases,
  ...registerCases,
  ...endpointCases,
  ...liveCases,
  ...authenticationCases,
  ...keptAnswerCases,
  ...errorCases,
  ...limitCases,
  ...versioningCases,
  ...secretCases,
  ...slowCases,
];
