/** Release of the API, which snapshots carry. */
export const RELEASE = '3.6.0'
