/** A caller as records keep him, in whose name something is done later. */

/** The facts from which his permissions of the moment are found. */
export interface KeptCaller {
  readonly name: string
  /** Given by a token or a proxy; those of a user whom the node keeps are read anew. */
  readonly backendRoles: readonly string[]
  /** Whether the node keeps the user. */
  readonly isInternal: boolean
}
