/*
 * Makes of one process that has everything loaded, the template, a process for each run: without loading anything again.
 *
 *     wait(orders, filter, { hasPages, bytes, tasks, jobSize, scratchSize, sharedSize })
 *
 * blocks until somebody orders a run, by a line with its name on the descriptor `orders`, and returns once in each process
 * that was made for one; in the template it returns when nobody is left to order anything. `exit(code)` is the only end of
 * such a process: Node.js would wait for threads that were not copied.
 *
 * A run is two processes. The first is number 1 in namespaces of its own: it furnishes them, waits for a `g` on its line to
 * the runner, starts the second, and watches. The second lays down all that it could do and runs the script. When that one
 * ends, or the line to the runner breaks, or more is used than may be, the first ends, and the kernel ends all the rest.
 *
 * On the line the first says, as text: `pid <n>` (of itself, as the template sees it), and at last one of `exit <code>`,
 * `signal <n>`, `used bytes`, `used tasks`, `fault <what>: <why>`.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <net/if.h>
#include <node_api.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of Node.js: after a fork its loop needs its own descriptors, and to know how late it is. */
struct uv_loop_s;
extern int uv_loop_fork(struct uv_loop_s *);
extern void uv_update_time(struct uv_loop_s *);

#define LOOKS_EVERY_MS 500
#define WRITABLE (MS_NOSUID | MS_NODEV | MS_NOEXEC)

struct limits {
  bool has_pages;
  long long bytes, tasks, job_size, scratch_size, shared_size;
};

/* Whether this is a process of a run: it may do nothing of this again. */
static bool is_spent = false;
static pid_t template_pid;
static int line = -1;

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...) {
  char text[300];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (length > (int)sizeof text - 1) length = sizeof text - 1;
  /* Nobody hears it any more: the line will tell. */
  if (send(line, text, length, MSG_NOSIGNAL) < 0) return;
}

static void need(bool is_so, const char *what) {
  if (is_so) return;
  say("fault %s: %s\n", what, strerror(errno));
  _exit(2);
}

static void put(const char *path, const char *text) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  need(file >= 0 && write(file, text, strlen(text)) >= 0, path);
  close(file);
}

static int connect_to(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int socket_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  if (socket_fd < 0 || connect(socket_fd, (struct sockaddr *)&address, sizeof address) != 0) return -1;
  return socket_fd;
}

/*
 * V8 keeps its memory from being copied: what is started by its process has no use for it. For a run it is let go, and kept
 * again there, or each program that the run starts would cost a copy. Nothing is mapped anew while the template waits, so
 * that looking once is enough.
 */
static struct range {
  unsigned long from, to;
} *kept;
static size_t kept_count = 0;

static bool find_kept_memory(void) {
  FILE *maps = fopen("/proc/self/smaps", "re");
  if (maps == NULL) return false;
  char *text = NULL;
  size_t size = 0;
  struct range last = {0}, *more;
  while (getline(&text, &size, maps) > 0) {
    unsigned long from, to;
    if (sscanf(text, "%lx-%lx ", &from, &to) == 2) last = (struct range){from, to};
    /* "dc": do not copy. */
    if (strncmp(text, "VmFlags:", 8) != 0 || strstr(text, " dc") == NULL) continue;
    more = realloc(kept, (kept_count + 1) * sizeof *kept);
    if (more == NULL) break;
    kept = more;
    kept[kept_count++] = last;
  }
  bool is_whole = feof(maps);
  free(text);
  return fclose(maps) == 0 && is_whole;
}

static bool let_memory_be_copied(int advice) {
  for (size_t index = 0; index < kept_count; index++)
    if (madvise((void *)kept[index].from, kept[index].to - kept[index].from, advice) != 0) return false;
  return true;
}

static void mount_memory(const char *path, long long size, const char *mode, unsigned long flags) {
  char options[80];
  snprintf(options, sizeof options, "size=%lld,mode=%s", size, mode);
  need(mount("tmpfs", path, "tmpfs", WRITABLE | flags, options) == 0, path);
}

/* What a run sees differs from what the template sees by what is its own, and by all that is others'. */
static void furnish(const char *name, const struct limits *limits) {
  char path[120];
  need(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0, "mounts");
  mount_memory("/job", limits->job_size, "0755", 0);
  mount_memory("/tmp", limits->scratch_size, "1777", 0);
  mount_memory("/dev/shm", limits->shared_size, "1777", 0);
  need(mount("devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620") == 0, "/dev/pts");
  snprintf(path, sizeof path, "/runs/%s/egress.sock", name);
  need(mount(path, "/run/egress.sock", NULL, MS_BIND, NULL) == 0, "/run/egress.sock");
  mount_memory("/runs", 4096, "0000", MS_RDONLY);
  need(mount("proc", "/proc", "proc", WRITABLE, NULL) == 0, "/proc");
  /* The filter denies it too; a browser keeps its pages in them. */
  if (!limits->has_pages) put("/proc/sys/user/max_user_namespaces", "0");
  struct ifreq loopback = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
  int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  need(any >= 0 && ioctl(any, SIOCSIFFLAGS, &loopback) == 0, "loopback");
  close(any);
  /* Counted for this namespace of users alone. */
  struct rlimit processes = {limits->tasks, limits->tasks};
  need(setrlimit(RLIMIT_NPROC, &processes) == 0, "limits");
  need(chdir("/job") == 0, "/job");
}

static void lay_down_powers(const struct sock_fprog *filter) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct none[2] = {{0}};
  for (int capability = 0; prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0; capability++)
    ;
  need(syscall(SYS_capset, &header, none) == 0, "capabilities");
  need(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "privileges");
  need(prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0, "end");
  if (filter->len > 0) need(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filter, 0, 0) == 0, "filter");
}

/* The line is closed when nothing is left, and not before; whoever asks what a run has cost is told of all of it. */
static _Noreturn void finish(void) {
  kill(-1, SIGKILL);
  while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
    ;
  _exit(0);
}

/* Without this process, whose memory is the template's. */
static void look(const struct limits *limits) {
  long long bytes = 0, tasks = 0;
  DIR *processes = opendir("/proc");
  if (processes == NULL) return;
  for (struct dirent *entry; (entry = readdir(processes)) != NULL;) {
    int pid = atoi(entry->d_name);
    if (pid <= 1) continue;
    char path[40], text[300];
    snprintf(path, sizeof path, "/proc/%d/status", pid);
    FILE *status = fopen(path, "re");
    if (status == NULL) continue;
    long long number;
    while (fgets(text, sizeof text, status) != NULL) {
      if (sscanf(text, "RssAnon: %lld", &number) == 1 || sscanf(text, "RssShmem: %lld", &number) == 1) bytes += 1024 * number;
      else if (sscanf(text, "Threads: %lld", &number) == 1) tasks += number;
    }
    fclose(status);
  }
  closedir(processes);
  if (bytes > limits->bytes) say("used bytes\n");
  else if (tasks > limits->tasks) say("used tasks\n");
  else return;
  finish();
}

static _Noreturn void watch(pid_t script, int ends, const struct limits *limits) {
  struct pollfd heard[2] = {{.fd = line, .events = POLLIN}, {.fd = ends, .events = POLLIN}};
  for (;;) {
    if (poll(heard, 2, LOOKS_EVERY_MS) == 0) look(limits);
    /* Nobody has anything more to say: the runner hung up. */
    if (heard[0].revents != 0) finish();
    struct signalfd_siginfo told;
    if (heard[1].revents != 0 && read(ends, &told, sizeof told) < 0) _exit(2);
    int status;
    for (pid_t gone; (gone = waitpid(-1, &status, WNOHANG)) > 0;) {
      if (gone != script) continue;
      if (WIFSIGNALED(status)) say("signal %d\n", WTERMSIG(status));
      else say("exit %d\n", WEXITSTATUS(status));
      finish();
    }
  }
}

/* The first process of a run; returns in the second. */
static void begin(const char *name, const struct limits *limits, const struct sock_fprog *filter) {
  char path[120], text[40];
  signal(SIGCHLD, SIG_DFL);
  snprintf(path, sizeof path, "/runs/%s/run.sock", name);
  line = connect_to(path);
  if (line < 0) _exit(2);
  /* In the order in which the runner expects them. */
  int errors = connect_to(path), job = connect_to(path), events = connect_to(path);
  need(errors >= 0 && job >= 0 && events >= 0, "connections");
  ssize_t length = readlink("/proc/self", text, sizeof text - 1);
  need(length > 0, "/proc/self");
  text[length] = 0;
  say("pid %s\n", text);
  put("/proc/self/setgroups", "deny");
  put("/proc/self/uid_map", "65534 65534 1");
  put("/proc/self/gid_map", "65534 65534 1");
  furnish(name, limits);
  /* Nobody looks into it or changes it: what the script may do, it may do to itself. */
  need(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0, "process");
  need(read(line, text, 1) == 1, "leave");

  sigset_t ending, before;
  sigemptyset(&ending);
  sigaddset(&ending, SIGCHLD);
  sigprocmask(SIG_BLOCK, &ending, &before);
  int ends = signalfd(-1, &ending, SFD_CLOEXEC | SFD_NONBLOCK);
  need(ends >= 0, "signals");
  for (;;) {
    pid_t script = fork();
    need(script >= 0, "fork");
    if (script > 0) {
      int status;
      /* OpenSSL knows by its number that it is another process, and takes other random numbers. */
      if (script != template_pid) watch(script, ends, limits);
      waitpid(script, &status, 0);
    } else if (getpid() == template_pid) _exit(0);
    else break;
  }

  need(let_memory_be_copied(MADV_DONTFORK), "memory");
  sigprocmask(SIG_SETMASK, &before, NULL);
  setsid();
  need(dup2(errors, 1) == 1 && dup2(errors, 2) == 2 && dup2(job, 3) == 3 && dup2(events, 4) == 4, "descriptors");
  close(ends), close(errors), close(job), close(events);
  lay_down_powers(filter);
  need(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0, "process");
  close(line);
}

static void wake(int signal_number) {
  (void)signal_number;
}

/* A line of letters and figures; false when there will be none any more. */
static bool next_order(int orders, char *name, size_t size) {
  for (size_t length = 0; length < size;) {
    ssize_t got = read(orders, name + length, 1);
    if (got < 0 && errno == EINTR) {
      while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
      continue;
    }
    if (got <= 0) return false;
    if (name[length] == '\n') {
      name[length] = 0;
      return true;
    }
    length += 1;
  }
  return false;
}

static long long number_in(napi_env env, napi_value object, const char *name) {
  napi_value value;
  int64_t number = 0;
  napi_get_named_property(env, object, name, &value);
  napi_get_value_int64(env, value, &number);
  return number;
}

static napi_value refuse(napi_env env, const char *why) {
  napi_throw_error(env, NULL, why);
  return NULL;
}

static napi_value wait_for_order(napi_env env, napi_callback_info info) {
  napi_value values[3], is_run;
  size_t count = 3, filter_bytes = 0;
  int32_t orders = -1;
  void *code = NULL;
  struct limits limits = {0};
  struct uv_loop_s *loop = NULL;
  if (is_spent) return refuse(env, "this process is one of a run");
  napi_get_cb_info(env, info, &count, values, NULL, NULL);
  napi_value has_pages;
  if (count != 3 || napi_get_value_int32(env, values[0], &orders) != napi_ok ||
      napi_get_buffer_info(env, values[1], &code, &filter_bytes) != napi_ok ||
      napi_get_named_property(env, values[2], "hasPages", &has_pages) != napi_ok ||
      napi_get_value_bool(env, has_pages, &limits.has_pages) != napi_ok || napi_get_uv_event_loop(env, &loop) != napi_ok)
    return refuse(env, "it takes a descriptor, a filter and limits");
  limits.bytes = number_in(env, values[2], "bytes");
  limits.tasks = number_in(env, values[2], "tasks");
  limits.job_size = number_in(env, values[2], "jobSize");
  limits.scratch_size = number_in(env, values[2], "scratchSize");
  limits.shared_size = number_in(env, values[2], "sharedSize");
  struct sock_fprog filter = {.len = filter_bytes / sizeof(struct sock_filter), .filter = code};
  /* What is free is put together here, not in each copy. */
  malloc_trim(0);
  if (!find_kept_memory() || !let_memory_be_copied(MADV_DOFORK)) return refuse(env, "what is mapped cannot be found");
  template_pid = getpid();
  /* Without SA_RESTART: the wait for an order is where runs are buried that are over. */
  struct sigaction burying = {.sa_handler = wake};
  sigaction(SIGCHLD, &burying, NULL);

  char name[40];
  while (next_order(orders, name, sizeof name)) {
    long flags = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWNET | SIGCHLD;
    long first = syscall(SYS_clone, flags, NULL, NULL, NULL, NULL);
    if (first < 0) dprintf(STDERR_FILENO, "failed %s %s\n", name, strerror(errno));
    if (first != 0) continue;
    is_spent = true;
    begin(name, &limits, &filter);
    if (uv_loop_fork(loop) != 0) _exit(2);
    uv_update_time(loop);
    break;
  }
  napi_get_boolean(env, is_spent, &is_run);
  return is_run;
}

static napi_value end(napi_env env, napi_callback_info info) {
  napi_value code;
  size_t count = 1;
  int32_t number = 0;
  napi_get_cb_info(env, info, &count, &code, NULL, NULL);
  if (count == 1) napi_get_value_int32(env, code, &number);
  _exit(number);
}

NAPI_MODULE_INIT() {
  napi_value wait_value, exit_value;
  napi_create_function(env, "wait", NAPI_AUTO_LENGTH, wait_for_order, NULL, &wait_value);
  napi_create_function(env, "exit", NAPI_AUTO_LENGTH, end, NULL, &exit_value);
  napi_set_named_property(env, exports, "wait", wait_value);
  napi_set_named_property(env, exports, "exit", exit_value);
  return exports;
}
