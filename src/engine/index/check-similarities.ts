import type { Settings } from '../../schema/settings.ts'
import { definedSimilarities } from '../../schema/similarity/similarity-settings.ts'
import { scriptsOf } from '../dsl/field/field-similarity.ts'
import type { Node } from '../node/node.ts'

/**
 * Checks the similarities that settings define.
 * @throws {EngineError} a definition that no type takes, or a script that does not compile
 */
export function checkSimilarities({ scripts }: Node, settings: Settings): void {
  for (const definition of definedSimilarities(settings).values()) {
    if (definition.kind !== 'scripted') continue
    const { script, weightScript } = scriptsOf(definition)
    scripts.compile(scripts.resolve(script, 'similarity'), 'similarity')
    if (weightScript !== null)
      scripts.compile(scripts.resolve(weightScript, 'similarity_weight'), 'similarity_weight')
  }
}
