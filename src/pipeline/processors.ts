/** All types of processors. */

import { APPEND } from './processor/append.ts'
import { BYTES } from './processor/bytes.ts'
import { COMMUNITY_ID } from './processor/community-id.ts'
import { CONVERT } from './processor/convert.ts'
import { COPY } from './processor/copy.ts'
import { CSV } from './processor/csv.ts'
import { DATE } from './processor/date.ts'
import { DATE_INDEX_NAME } from './processor/date-index-name.ts'
import { DISSECT } from './processor/dissect.ts'
import { DOT_EXPANDER } from './processor/dot-expander.ts'
import { DROP } from './processor/drop.ts'
import { FAIL } from './processor/fail.ts'
import { FINGERPRINT } from './processor/fingerprint.ts'
import { FOREACH } from './processor/foreach.ts'
import { GROK } from './processor/grok.ts'
import { GSUB } from './processor/gsub.ts'
import { HTML_STRIP } from './processor/html-strip.ts'
import { JOIN } from './processor/join.ts'
import { JSON_TEXT } from './processor/json.ts'
import { KV } from './processor/kv.ts'
import { LOWERCASE } from './processor/lowercase.ts'
import { PIPELINE } from './processor/pipeline.ts'
import { REMOVE } from './processor/remove.ts'
import { REMOVE_BY_PATTERN } from './processor/remove-by-pattern.ts'
import { RENAME } from './processor/rename.ts'
import { SCRIPT } from './processor/script.ts'
import { SET } from './processor/set.ts'
import { SORT } from './processor/sort.ts'
import { SPLIT } from './processor/split.ts'
import { TRIM } from './processor/trim.ts'
import { UPPERCASE } from './processor/uppercase.ts'
import { URLDECODE } from './processor/urldecode.ts'
import type { ProcessorType } from './processor.ts'

const TYPES: readonly ProcessorType[] = [
  APPEND,
  BYTES,
  COMMUNITY_ID,
  CONVERT,
  COPY,
  CSV,
  DATE,
  DATE_INDEX_NAME,
  DISSECT,
  DOT_EXPANDER,
  DROP,
  FAIL,
  FINGERPRINT,
  FOREACH,
  GROK,
  GSUB,
  HTML_STRIP,
  JOIN,
  JSON_TEXT,
  KV,
  LOWERCASE,
  PIPELINE,
  REMOVE,
  REMOVE_BY_PATTERN,
  RENAME,
  SCRIPT,
  SET,
  SORT,
  SPLIT,
  TRIM,
  UPPERCASE,
  URLDECODE,
]

const BY_NAME: ReadonlyMap<string, ProcessorType> = new Map(TYPES.map(type => [type.name, type]))

/** The names of all types, in order. */
export const PROCESSOR_NAMES: readonly string[] = [...BY_NAME.keys()].sort()

/** A type by its name; null: there is none. */
export function findProcessorType(name: string): ProcessorType | null {
  return BY_NAME.get(name) ?? null
}
