import { step } from '../explanation.ts'
import { nameBehind } from './named.ts'
import type { OneFunction } from './score-function.ts'
import type { ScoreFunctionType } from './score-function-type.ts'

/** 1 for every document. */
export const oneFunction: ScoreFunctionType<OneFunction> = {
  text: () => 'one',
  sections: () => [],
  open: () => ({
    score: () => 1,
    maxScore: 1,
    explain: (_docId, _query, name) =>
      step(1, `constant score 1.0${nameBehind(name)} - no function provided`),
  }),
}
