;;; editors-lsp.el --- What a user of Emacs does with the language server -*- lexical-binding: t; -*-

;; Through eglot's commands: see `.ci/editors-lsp'.

(package-initialize)
(require 'markdown-mode)
(require 'yaml-mode)
(require 'kep-lint-eglot)
(require 'flymake)
(require 'xref)

(defvar my-readme (getenv "README"))
(defvar my-metadata (replace-regexp-in-string "README\\.md\\'" "kep.yaml" my-readme))
(defvar my-failures 0)
(setq kep-lint-eglot-settings '(:format-toc t)
      eglot-sync-connect 20
      eglot-confirm-server-initiated-edits nil
      create-lockfiles nil
      auto-save-default nil
      flymake-start-on-flymake-mode nil)

(defun my-eventually (what is-so)
  "Wait until function IS-SO returns something; WHAT is the failure otherwise."
  (let ((end (+ (float-time) 20)) result)
    (while (not (setq result (funcall is-so)))
      (when (> (float-time) end) (error "%s" what))
      (accept-process-output nil 0.05))
    result))

(defun my-tell ()
  "What an idle Emacs does: tell the server what was typed."
  (eglot--signal-textDocument/didChange))

(defun my-findings (&optional buffer)
  (with-current-buffer (or buffer (current-buffer))
    (flymake-start)
    (mapcar #'flymake-diagnostic-text (flymake-diagnostics))))

(defun my-finds (words &optional buffer)
  (seq-some (lambda (text) (string-match-p (regexp-quote words) text)) (my-findings buffer)))

(defun my-go-to (text)
  (goto-char (point-min))
  (unless (re-search-forward (concat "^" (regexp-quote text) "$") nil t) (error "no line %s" text))
  (goto-char (+ (line-beginning-position) 4)))

(defun my-add (text)
  (goto-char (point-max))
  (insert text "\n")
  (my-tell))

(defun my-open (path)
  "Visit PATH as it is on disk, with its server."
  (when-let ((old (find-buffer-visiting path)))
    (with-current-buffer old (set-buffer-modified-p nil))
    (kill-buffer old))
  (switch-to-buffer (find-file-noselect path))
  ;; There is no command loop here, which `eglot-ensure' waits for.
  (run-hooks 'post-command-hook)
  (my-eventually "no server" (lambda () (eglot-current-server)))
  (current-buffer))

(defmacro my-row (name capability &rest body)
  "Print what comes of BODY; with the keyword `cannot' instead of CAPABILITY, the client has no such thing."
  (declare (indent 2))
  `(princ (format "%-34s %s\n" ,name
                  (condition-case problem
                      (cond ((eq ,capability 'cannot) "client cannot")
                            ((progn (my-open my-readme)
                                    (and ,capability (not (eglot--server-capable ,capability))))
                             "server has not")
                            (t (my-eventually "findings" (lambda () (my-findings)))
                               ,@body
                               "works"))
                    (error (setq my-failures (1+ my-failures))
                           (format "FAILED: %s" (error-message-string problem)))))))

(my-row "diagnostics on open" nil
  (my-eventually "findings" #'my-findings))

(my-row "diagnostics while typing" nil
  (my-add "##End")
  (my-eventually "the finding is there" (lambda () (my-finds "not a heading")))
  (delete-region (- (point-max) 6) (point-max))
  (my-tell)
  (my-eventually "the finding is gone" (lambda () (not (my-finds "not a heading")))))

(my-row "diagnostics of the other files" nil
  (let ((buffer (current-buffer)))
    (my-open my-metadata)
    (goto-char (point-min))
    (re-search-forward "^stage:.*")
    (replace-match "stage: stable")
    (my-tell)
    (my-eventually "more is required of the README" (lambda () (my-finds "only placeholder text" buffer)))
    (set-buffer-modified-p nil)
    (kill-buffer)
    (my-eventually "what is on disk counts" (lambda () (not (my-finds "only placeholder text" buffer))))))

(my-row "findings after another program" nil
  (let ((text (with-temp-buffer (insert-file-contents my-metadata) (buffer-string)))
        (buffer (current-buffer)))
    (with-temp-file my-metadata
      (insert (replace-regexp-in-string "^stage:.*" "stage: stable" text)))
    (my-eventually "the file is checked" (lambda () (my-finds "only placeholder text" buffer)))
    (with-temp-file my-metadata (insert text))
    (my-eventually "the file is checked again" (lambda () (not (my-finds "only placeholder text" buffer))))))

(my-row "hover" :hoverProvider
  (my-go-to "### Scalability")
  (let (shown)
    (eglot-hover-eldoc-function (lambda (text &rest _) (setq shown (or text ""))))
    (my-eventually "words" (lambda () (and shown (string-match-p "Scalability" shown))))))

(my-row "code action" :codeActionProvider
  (my-add "##End")
  (my-eventually "the finding is there" (lambda () (my-finds "not a heading")))
  (goto-char (- (point-max) 4))
  (cl-letf (((symbol-function 'completing-read) (lambda (_ all &rest _) (caar all)))
            ((symbol-function 'read-char-choice) (lambda (&rest _) ?y)))
    (let* ((actions (eglot-code-actions (point) (point) nil nil)))
      (unless (seq-empty-p actions)
        (let ((first (elt actions 0)))
          (eglot--dcase first
            (((CodeAction) edit command)
             (when edit (eglot--apply-workspace-edit edit))
             (when command (eglot-execute-command (eglot-current-server)
                                                  (intern (plist-get command :command))
                                                  (plist-get command :arguments)))))))))
  (my-eventually "the text is fixed"
                 (lambda () (string-match-p "\n## End" (buffer-string)))))

(my-row "completion" :completionProvider
  (my-open my-metadata)
  (goto-char (point-max))
  (insert "status: imp")
  (my-tell)
  (let* ((found (eglot-completion-at-point))
         (all (all-completions "" (nth 2 found))))
    (unless (seq-some (lambda (one) (string-match-p "implementable" one)) all)
      (error "Not what is allowed there: %S" all))))

(my-row "definition" :definitionProvider
  (goto-char (point-min))
  (re-search-forward "(#summary)")
  (goto-char (+ (line-beginning-position) 6))
  (let* ((found (xref-backend-definitions 'eglot "x"))
         (marker (xref-location-marker (xref-item-location (car found)))))
    (with-current-buffer (marker-buffer marker)
      (goto-char marker)
      (unless (looking-at-p "## Summary") (error "Not the heading")))))

(my-row "KEPs by number and title" :workspaceSymbolProvider
  (unless (string-match-p "4742" (format "%S" (xref-backend-apropos 'eglot "4742"))) (error "No KEP")))

(my-row "format" :documentFormattingProvider
  (let ((old (buffer-string)))
    (goto-char (point-min))
    (re-search-forward "(#summary)")
    (delete-region (line-beginning-position) (1+ (line-end-position)))
    (my-tell)
    (eglot-format-buffer)
    (unless (equal old (buffer-string)) (error "The table of contents is not regenerated"))))

(my-row "code lens" 'cannot)
(my-row "asking for findings" 'cannot)

(my-row "the server ends" nil
  (let ((process (jsonrpc--process (eglot-current-server))))
    (eglot-shutdown (eglot-current-server))
    ;; It is killed by eglot, however fast it ends.
    (my-eventually "it runs" (lambda () (not (process-live-p process))))))

(kill-emacs (if (> my-failures 0) 1 0))
