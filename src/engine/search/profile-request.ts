/** Profile options of a search. */
export interface ProfileRequest {
  readonly isOn: boolean
  /** `profile_slices`: an object per slice in the profile. */
  readonly perSlice: boolean
  /** `profile_kernels`: what production runs, beside what the profile runs. */
  readonly kernels: boolean
}
