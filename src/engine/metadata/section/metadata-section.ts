import type { JsonNode } from '../../../util/json/json-tree.ts'
import type { JsonValue } from '../../../util/json/json-value.ts'

/** One kind of metadata within a state file, with a version of its own. */
export interface MetadataSection<T> {
  /** Lower case, words joined by `_`; stays for good. */
  readonly name: string
  /** Of its content, from 1. It rises when content of before has to be changed to be read. */
  readonly version: number
  /** True: a build that does not know the section must not open the file. */
  readonly isRequired: boolean
  /** Its value where a file does not have it. */
  empty(): T
  /**
   * Content of an older version in the form of this one.
   * @param from its version; 0 is the whole body of a state of before there were sections
   */
  upgrade(content: JsonNode, from: number): JsonNode
  /** @throws {CorruptSegmentError} content that was never written */
  parse(content: JsonNode): T
  print(value: T): JsonValue
}

/** A section with the value that it is to have. */
export interface SectionValue {
  readonly section: MetadataSection<unknown>
  readonly value: unknown
}

/** Ties a value to a section of its type. */
export function sectionValue<T>(section: MetadataSection<T>, value: T): SectionValue {
  return { section, value }
}
