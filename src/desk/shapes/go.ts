/** Where messages go. */
export interface DestinationView {
  readonly version: string;
  /** `none`: the sandbox alone. */
  readonly kind: 'none' | 'app' | 'address';
  /** Empty unless it is of that kind. */
  readonly appId: string;
  readonly region: string;
  readonly to: string;
  /** Days, or `unlimited`; empty: what is usual there. */
  readonly retentionDays: string;
  /** Whether a rehearsal goes by the limits of the hosted service. */
  readonly rehearsesHosted: boolean;
  /** Where the commands take the API key from. The key itself is never here. */
  readonly key: {
    readonly from: 'variable' | 'file' | 'none';
    readonly path: string | null;
    /** Why it cannot be used. */
    readonly fault: string | null;
  };
  /** The address that the key is sent to; empty without a destination. */
  readonly address: string;
  /** Whether a key was sent to this address before. */
  readonly isKnownAddress: boolean;
  /** Set by a variable of the environment: it cannot be changed here. */
  readonly isFixed: boolean;
}

/** What is absent stays as it is. */
export interface DestinationRequest {
  readonly version: string;
  readonly kind?: DestinationView['kind'] | undefined;
  readonly appId?: string | undefined;
  readonly region?: string | undefined;
  readonly to?: string | undefined;
  readonly retentionDays?: string | undefined;
  readonly rehearsesHosted?: boolean | undefined;
  /** Path of a file with the key; null: from the environment. */
  readonly keyFile?: string | null | undefined;
}

export interface GoRoutes {
  'GET destination': DestinationView;
  'POST destination': DestinationView;
}
