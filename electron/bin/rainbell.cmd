@echo off
rem The command line of the installed app, without a window. Inside a batch file cmd.exe waits for the program, which writes to
rem the console it was started from, or to the pipe or file that its output is redirected to.
setlocal
"%~dp0..\..\Rainbell.exe" --cli -- %*
exit /b %ERRORLEVEL%
