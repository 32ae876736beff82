import { assert } from '../../util/assert.ts'
import { notSupportedYet } from '../dsl/parse-error.ts'
import type { FieldScripts } from '../fetch/fetch-part.ts'
import type { Node } from '../node/node.ts'

/** Compiles scripts of `script_fields`. */
export function fieldScripts(node: Node): FieldScripts {
  return {
    compile(request) {
      const resolved = node.scripts.resolve(request, 'field')
      if (resolved.lang === 'expression') throw notSupportedYet('expression')
      const compiled = node.scripts.compile(resolved, 'field')
      assert(compiled.lang === 'painless', 'other languages have no such context')
      return { script: compiled.script, params: resolved.params }
    },
  }
}
