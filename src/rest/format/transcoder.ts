import type { JsonNode } from '../../util/json/json-tree.ts'

/** A format of bodies that is turned into JSON when it comes, and made of JSON when it goes. */
export interface Transcoder {
  /** Media type of responses. */
  readonly type: string
  /** Max bytes of a request's body: it is read in one go, on the thread that answers requests. */
  readonly maxRequestBytes: number
  /**
   * The same value in JSON; numbers keep their digits.
   * @throws {EngineError} `parse_exception`: not of the format, or with no counterpart in JSON
   */
  toJson(bytes: Uint8Array): Uint8Array
  /**
   * Max levels of a response: libraries write by recursion, and a pattern that the virtual machine compiles where the
   * stack is nearly used up ends the process, so that no error could be caught.
   */
  readonly maxResponseDepth: number
  fromJson(tree: JsonNode): Uint8Array
}
