;;; kep-lint-flymake.el --- Check KEPs with kep-lint while you type  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "26.1"))
;; Keywords: tools

;;; Commentary:

;; A Flymake backend that sends the text of a buffer to kep-lint, saved or
;; not, and shows the findings in this file:
;;
;;   (require 'kep-lint-flymake)
;;   (add-hook 'find-file-hook #'kep-lint-flymake-setup)

;;; Code:

(require 'flymake)

(defgroup kep-lint-flymake nil
  "Check Kubernetes Enhancement Proposals with kep-lint."
  :group 'flymake)

(defcustom kep-lint-flymake-program "kep-lint"
  "The program."
  :type 'string)

(defvar-local kep-lint-flymake--process nil
  "The process that checks this buffer.")

(defconst kep-lint-flymake--finding
  "^.+?:\\([0-9]+\\):\\([0-9]+\\): \\(error\\|warning\\|suggestion\\)\\(\\[[a-z-]+\\] .*\\)$"
  "Matches the line of a finding: its line, column, severity and message.")

(defun kep-lint-flymake--type (severity)
  "The type of diagnostic for SEVERITY."
  (pcase severity ("error" :error) ("warning" :warning) (_ :note)))

(defun kep-lint-flymake--diagnostic (source line column type message)
  "A diagnostic of TYPE with MESSAGE in buffer SOURCE at LINE and COLUMN."
  (with-current-buffer source
    (save-restriction
      (widen)
      (pcase-let ((`(,start . ,end) (flymake-diag-region source line column)))
        (flymake-make-diagnostic source start end type message)))))

(defun kep-lint-flymake--read (source status)
  "The diagnostics of buffer SOURCE in the current buffer, which has the output.
STATUS is how kep-lint ended.  After 2 the run is not complete, so that the
reason is a diagnostic as well."
  (let (found)
    (goto-char (point-min))
    (while (re-search-forward kep-lint-flymake--finding nil t)
      (push (kep-lint-flymake--diagnostic
             source
             (string-to-number (match-string 1))
             (string-to-number (match-string 2))
             (kep-lint-flymake--type (match-string 3))
             (match-string 4))
            found))
    (unless (memq status '(0 1))
      (goto-char (point-min))
      (let ((reason (if (re-search-forward "^error: .*$" nil t)
                        (match-string 0)
                      (format "error: ended with %s" status))))
        (push (kep-lint-flymake--diagnostic source 1 1 :error (concat "kep-lint: " reason))
              found)))
    (nreverse found)))

(defun kep-lint-flymake--end (process source report-fn)
  "Calls REPORT-FN with what PROCESS found in buffer SOURCE.
A process that another one has replaced reports nothing."
  (unwind-protect
      (when (and (buffer-live-p source)
                 (eq process (buffer-local-value 'kep-lint-flymake--process source)))
        (with-current-buffer (process-buffer process)
          (funcall report-fn (kep-lint-flymake--read source (process-exit-status process)))))
    (kill-buffer (process-buffer process))))

(defun kep-lint-flymake (report-fn &rest _)
  "A Flymake backend that calls REPORT-FN with the findings of kep-lint."
  (unless (executable-find kep-lint-flymake-program)
    (error "There is no program %s" kep-lint-flymake-program))
  (when (process-live-p kep-lint-flymake--process)
    (kill-process kep-lint-flymake--process))
  (let ((source (current-buffer)))
    (save-restriction
      (widen)
      (setq kep-lint-flymake--process
            (make-process
             :name "kep-lint"
             :buffer (generate-new-buffer " *kep-lint*")
             :command (list kep-lint-flymake-program
                            "-" "--stdin-filename" (expand-file-name buffer-file-name)
                            "--format" "concise" "--color" "never" "--quiet")
             :connection-type 'pipe
             :coding 'utf-8-unix
             :noquery t
             :sentinel (lambda (process _event)
                         (unless (process-live-p process)
                           (kep-lint-flymake--end process source report-fn)))))
      ;; A program that refuses its arguments does not read the text.
      (ignore-errors
        (process-send-region kep-lint-flymake--process (point-min) (point-max))
        (process-send-eof kep-lint-flymake--process)))))

;;;###autoload
(defun kep-lint-flymake-setup ()
  "Check this buffer with kep-lint if its file is below a directory `keps'."
  (when (and buffer-file-name
             (not (file-remote-p buffer-file-name))
             (string-match-p "/keps/.*\\.\\(md\\|yaml\\)\\'" (expand-file-name buffer-file-name)))
    (add-hook 'flymake-diagnostic-functions #'kep-lint-flymake nil t)
    (flymake-mode 1)))

(provide 'kep-lint-flymake)
;;; kep-lint-flymake.el ends here
