// The dialogs of a front: acknowledge it, or silence its monitors.
import { useApp } from '../../store/use-app.ts';
import { FormDialog } from '../../ui/dialogs/FormDialog.tsx';
import { AcknowledgeForm } from './AcknowledgeForm.tsx';
import { SilenceForm } from './SilenceForm.tsx';

export function FrontDialog() {
  const { dialog, openDialog } = useApp((state) => state.fronts);
  if (dialog === null) return null;
  const isSilence = dialog.kind === 'silence';
  return (
    <FormDialog
      title={isSilence ? 'Silence notifications' : 'Acknowledge the rain front'}
      size="lg"
      onClose={() => openDialog(null)}
    >
      {isSilence ? <SilenceForm front={dialog.front} /> : <AcknowledgeForm front={dialog.front} />}
    </FormDialog>
  );
}
