// Whether a stored callback is sent with its signature or a new one.
import { NativeSelect } from '@mantine/core';
import { type ReplaySigning, replaySigningSchema } from '@rainbell/contract/app-rpc';

export type SigningChoice = ReplaySigning | '';
type SigningProps = { value: SigningChoice; isEditing: boolean; onChange: (value: SigningChoice) => void };

export function SigningSelect({ value, isEditing, onChange }: Readonly<SigningProps>) {
  return (
    <NativeSelect
      label="Signature"
      description="Handlers refuse a signature that is older than a few minutes. A new one needs the sender’s secret; an ID in the body stays."
      data={[
        ...(isEditing ? [{ value: '', label: 'Signed afresh if the body was edited' }] : []),
        { value: 'as-received', label: isEditing ? 'As in the headers' : 'As received' },
        { value: 'same-id', label: 'Signed afresh, same ID' },
        { value: 'new-id', label: 'Signed afresh, new ID' },
      ]}
      value={value || (isEditing ? '' : 'as-received')}
      onChange={(event) => onChange(replaySigningSchema.safeParse(event.currentTarget.value).data ?? '')}
    />
  );
}
