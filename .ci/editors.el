;; What Flymake shows in the file FILE, written to OUT; for .ci/editors.  -*- lexical-binding: t; -*-

(defun shown ()
  "Waits for a report on this buffer, and returns its diagnostics."
  (flymake-start)
  (let ((end (+ (float-time) 60)))
    (while (and (< (float-time) end) (process-live-p kep-lint-flymake--process))
      (accept-process-output nil 0.1))
    ;; Flymake reads the report in the sentinel.
    (accept-process-output nil 0.3))
  (flymake-diagnostics))

(defun line (found)
  "The diagnostic FOUND as a line."
  (save-excursion
    (goto-char (flymake-diagnostic-beg found))
    (let ((text (flymake-diagnostic-text found)))
      (string-match "^\\[\\([a-z-]+\\)\\]" text)
      (format "%s:%d:%d %s %s\n" (getenv "FILE") (line-number-at-pos)
              (1+ (- (point) (line-beginning-position)))
              (pcase (flymake-diagnostic-type found) (:error "E") (:warning "W") (:note "I"))
              (match-string 1 text)))))

(add-hook 'find-file-hook #'kep-lint-flymake-setup)
(find-file (getenv "FILE"))
(cl-assert flymake-mode)
(let ((lines (mapconcat #'line (shown) "")))
  (with-temp-file (getenv "OUT") (insert lines)))

;; What is typed after a wide character is checked without being saved, also if only a part of the buffer is visible.
(goto-char (point-max))
(insert "\nx 🎉 [unsaved](#elsewhere)\n")
(narrow-to-region (line-beginning-position) (point-max))
(let ((found (shown)))
  (widen)
  (cl-assert (cl-some (lambda (diagnostic)
                        (goto-char (flymake-diagnostic-beg diagnostic))
                        (looking-at-p "\\[unsaved\\]"))
                      found)
             t)
  (cl-assert (not (cl-find :error found :key #'flymake-diagnostic-type)) t))
(cl-assert (buffer-modified-p))
;; Emacs marks the file as being edited by a link that leads nowhere.
(cl-assert (file-symlink-p (expand-file-name ".#README.md")))

;; A check that another one replaces is ended, and reports nothing.
(let ((reports 0) first)
  (kep-lint-flymake (lambda (&rest _) (cl-incf reports 10)))
  (setq first kep-lint-flymake--process)
  (kep-lint-flymake (lambda (&rest _) (cl-incf reports)))
  (let ((end (+ (float-time) 60)))
    (while (and (< (float-time) end) (or (= reports 0) (process-live-p first)))
      (accept-process-output nil 0.1)))
  (cl-assert (eq (process-status first) 'signal) t)
  (cl-assert (= reports 1) t))
(set-buffer-modified-p nil)

;; A run that is not complete does not look clean.
(find-file (expand-file-name "nowhere.md" temporary-file-directory))
(cl-assert (not flymake-mode))
(insert "# Notes\n")
(setq-local flymake-diagnostic-functions '(kep-lint-flymake))
(flymake-mode 1)
(let ((found (shown)))
  (cl-assert (= (length found) 1) t)
  (cl-assert (string-match-p "belongs to no KEP" (flymake-diagnostic-text (car found))) t))

;; Nothing is left over.
(cl-assert (not (cl-some (lambda (buffer) (string-match-p "\\*kep-lint" (buffer-name buffer))) (buffer-list))) t)
(set-buffer-modified-p nil)
