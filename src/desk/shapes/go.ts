export interface DestinationView {
  readonly version: string;
  readonly kind: 'none' | 'app' | 'address';
  readonly appId: string;
  readonly region: string;
  readonly to: string;
  readonly retentionDays: string;
  readonly rehearsesHosted: boolean;
  readonly key: {
    readonly from: 'variable' | 'file' | 'none';
    readonly path: string | null;
    readonly fault: string | null;
  };
  /** Whether a key was sent to this address before. */
  readonly isKnownAddress: boolean;
  /** Set by a flag or variable of the desk: cannot be changed here. */
  readonly isFixed: boolean;
}

export type DestinationRequest = { readonly version: string } & Partial<
  Pick<DestinationView, 'kind' | 'appId' | 'region' | 'to' | 'retentionDays' | 'rehearsesHosted'> & {
    readonly keyFile: string | null;
  }
>;

export interface GoRoutes {
  'GET destination': DestinationView;
  'POST destination': DestinationView;
}
