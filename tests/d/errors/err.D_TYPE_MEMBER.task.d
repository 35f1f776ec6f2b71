/*
 * says: nonsense is not a member of struct task_struct
 */
BEGIN { trace(curthread->nonsense); }
