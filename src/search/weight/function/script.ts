import { IllegalArgumentError } from '../../../util/errors.ts'
import { doubleText } from '../../../util/json/float-text.ts'
import { inputsOf } from '../../script/leaf-script.ts'
import { scriptEngine } from '../../script/script-engine.ts'
import { step } from '../explanation.ts'
import { nameBehind } from './named.ts'
import type { ScriptFunction } from './score-function.ts'
import type { ScoreFunctionType } from './score-function-type.ts'

/** The value of a script for a document and the score of the query. */
export const scriptFunction: ScoreFunctionType<ScriptFunction> = {
  text: ({ script }) => `script${script.text}`,
  // A weight notes the sections of its scripts as a whole.
  sections: () => [],
  open({ script }, leaf, { scripts, score: ofQuery }) {
    const opened = scriptEngine().open(script, leaf, inputsOf(scripts, ofQuery))
    const score = (docId: number): number => {
      const value = opened.number(docId)
      if (value < 0)
        throw new IllegalArgumentError(
          `script score function must not produce negative scores, but got: [${doubleText(value)}]`,
        )
      return value
    }
    return {
      score,
      maxScore: Number.POSITIVE_INFINITY,
      explain(docId, query, name) {
        const words = `script score function${nameBehind(name)}, computed with script:"${script.text}"`
        return step(score(docId), words, [step(query.value, '_score: ', [query])])
      },
    }
  },
}
